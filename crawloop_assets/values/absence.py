"""Whether a text says that there is nothing to say: "none given", "keine Angabe".

A place for a list that says so has no items, which is more than that none was read. The
phrases were written down by hand, as sites of many languages have them; a word that
something may be called as well ("unknown", "other", "free") is none of them. Nor are
the initials of a person: "K. A." is one where "k. A." is no answer.
"""

import re

from crawloop_assets.values.value import Value

_PHRASES = """
none | none given | none stated | none specified | none listed | none provided | none available | none known
none reported
not given | not stated | not specified | not listed | not provided | not available | not applicable | not reported
not indicated
no information | no information available | no data | no data available | no details | nothing specified | no entry
no entries
no items | n/a | n.a | n. a
keine | keine angabe | keine angaben | keine angabe vorhanden | ohne angabe | nicht angegeben | nicht verfügbar
nicht vorhanden
keine daten | keine informationen | keine vorhanden | nichts angegeben | k. a | k.a | k. a. | k.a. | entfällt
non renseigné | non renseignée | non renseignés | non précisé | non précisée | non spécifié | non spécifiée
non communiqué
non indiqué | aucun | aucune | aucune information | aucune donnée | néant | pas d'information
no especificado | no especificada | sin especificar | no indicado | no disponible | no consta | sin datos
sin información
ninguno | ninguna | no informado | no aplica | n/d
non specificato | non specificata | non indicato | non disponibile | nessuno | nessuna | nessuna informazione
nessun dato
non pervenuto | non fornito | dato non disponibile
não especificado | não informado | não indicado | não disponível | nenhum | nenhuma | sem informação | sem dados
não consta
niet opgegeven | niet gespecificeerd | niet vermeld | niet beschikbaar | geen | geen informatie | geen gegevens | n.v.t
niet van toepassing
ej angivet | ej angiven | inte angivet | inte angiven | ingen uppgift | uppgift saknas | saknas | inga uppgifter
ingen information
ikke angivet | ikke oplyst | ingen oplysninger | ingen angivet | ikke oppgitt | ikke spesifisert | ingen opplysninger
ikke specificeret
ei ilmoitettu | ei tiedossa | ei määritelty | ei saatavilla | ei tietoja
nie podano | brak danych | brak informacji | brak | nie określono | nie dotyczy | b/d
neuvedeno | není uvedeno | nespecifikováno | žádné | bez údajů | nezadáno | neuvedené | nie je uvedené | žiadne
bez údajov
nincs megadva | nincs adat | nincs információ | nem elérhető | nincs
nespecificat | nespecificată | fără informații | nu este specificat | indisponibil | niciunul | niciuna
не указано | не указан | не указана | не указаны | нет данных | нет информации | отсутствует | не задано | н/д
не вказано | не зазначено | немає даних | немає інформації | відсутнє
не е посочено | няма данни | няма информация | не е указано
δεν έχει οριστεί | δεν διατίθεται | δεν αναφέρεται | κανένα | καμία πληροφορία
belirtilmemiş | belirtilmedi | bilgi yok | veri yok | mevcut değil
nije navedeno | nema podataka | nema informacija | ni podatka | ni navedeno | ni podatkov
nenurodyta | nėra duomenų | nav norādīts | nav datu | pole märgitud | andmed puuduvad | määramata
なし | 記載なし | 情報なし | 未設定 | 未記入 | データなし | 없음 | 정보 없음 | 미기재 | 해당 없음
无 | 未填写 | 暂无 | 暂无数据 | 暂无信息 | 未注明 | 無 | 未提供 | 暫無資料
غير محدد | لا يوجد | لا توجد بيانات | غير متوفر | לא צוין | אין מידע | אין נתונים
không có | chưa cập nhật | không xác định | tidak ada | tidak disebutkan | belum diisi | ไม่ระบุ | ไม่มีข้อมูล
"""
_AROUND = " .!:;*()[]"
"""Signs around such a text that add nothing to it."""
_DASHES, _BETWEEN = "-–—−", ":/. "
"""A form that nobody has filled in ("-:-" for a result to come), and its marks."""
_LONGEST = 40
_INITIALS = re.compile(r"[A-Z]\. [A-Z]")
"""As they are written, apart and large, but for the last point."""


def _bare(text: str) -> str:
    """The text on one line, without signs around it."""
    return " ".join(text.split()).strip(_AROUND)


_FORMS = frozenset(map(_bare, _PHRASES.replace("\n", "|").split("|"))) - {""}
_WORDED = frozenset(one for one in _FORMS if one.replace(" ", "").isalpha())
"""Those of words alone."""


def says_none(value: Value) -> bool:
    """Whether a value is a list of no items, or of one that says so."""
    return isinstance(value, list) and [*map(tells_absence, value)] in ([], [True])


def tells_absence(value: object) -> bool:
    """Whether a value is a text that says that there is nothing, and no more than that."""
    if not isinstance(value, str) or len(value) > _LONGEST:
        return False
    bare = _bare(value)
    if bare.startswith(tuple(_DASHES)):
        return not bare.strip(_DASHES + _BETWEEN)
    return not _INITIALS.fullmatch(bare) and bare.casefold() in _FORMS


def may_be_absence(text: str) -> bool:
    """Whether a text says that there is nothing, or begins so."""
    return tells_absence(text) or begins_with_absence(text)


def begins_with_absence(text: str) -> bool:
    """Whether a text begins with one that says that there is nothing, and goes on: "none at the
    moment". Something may be called so, too."""
    words = re.split(r"[\s.!:;,*()\[\]]+", text[:_LONGEST].casefold())
    heads = (" ".join(words[:count]) for count in range(1, len(words)))
    return any(map(_WORDED.__contains__, heads))
