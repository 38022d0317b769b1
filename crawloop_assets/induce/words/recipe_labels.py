"""What pages of recipes write before their parts, in the languages of Europe and some
others: whole labels, beside the words that name a field in classes too.

Written down by hand, from how recipes are laid out in each language. A label is left out
where it means another field as well ("Tempo de preparo" is the whole time on one page and
the time before cooking on another).
"""

from collections.abc import Mapping

_TABLE = {
    "ingredients": """
Ainekset Ainesosat Hozzávalók Suroviny Ingredience Ingrediencie Sestavine Ингредиенты Інгредієнти
Необходими_продукти Съставки Malzemeler Υλικά Συστατικά 材料 재료 食材 מצרכים מרכיבים المكونات المقادير
""",
    "instructions": """
Anleitung Zubereitungsschritte Préparation Étapes_de_préparation Préparation_de_la_recette Modo_de_preparación
Cómo_se_hace Pasos Come_preparare Come_fare Modo_de_preparo Modo_de_preparação Modo_de_fazer Bereidingswijze
Zo_maak_je_het Gör_så_här Tillagning Fremgangsmåde Sådan_gør_du Fremgangsmåte Slik_gjør_du Valmistusohje
Valmistusohjeet Ohjeet Valmistus Sposób_przygotowania Wykonanie Postup Postup_přípravy Postup_prípravy
Postopek Postupak Elkészítés Elkészítése Mod_de_preparare Способ_приготовления Приготовление Приготування
Начин_на_приготвяне Yapılışı Hazırlanışı Εκτέλεση Οδηγίες Διαδικασία 作り方 만드는_법 조리순서 做法 步骤 步驟 אופן_ההכנה
طريقة_التحضير
""",
    "total_time": """
Temps_total Tiempo_total Tempo_total Tempo_totale Totale_tijd Total_tid Samlet_tid Tid_i_alt Totaltid
Kokonaisaika Całkowity_czas Łączny_czas Celkový_čas Összesen Összes_idő Teljes_idő Timp_total Общее_время
Загальний_час Toplam_süre Συνολικός_χρόνος
""",
    "prep_time": """
Temps_de_préparation Tiempo_de_preparación Tempo_di_preparazione Vorbereitungszeit Arbeitszeit
Voorbereidingstijd Förberedelsetid Forberedelsestid Arbejdstid Czas_przygotowania Előkészítés
Előkészítés_ideje Előkészítési_idő Timp_de_pregătire Время_подготовки Hazırlama_süresi Hazırlık_süresi
Χρόνος_προετοιμασίας Προετοιμασία
""",
    "cook_time": """
Temps_de_cuisson Tiempo_de_cocción Tempo_di_cottura Tempo_de_cozimento Tempo_de_cozedura Kochzeit Backzeit
Koch-/Backzeit Kooktijd Baktijd Kogetid Bagetid Koketid Steketid Kypsennysaika Paistoaika Czas_gotowania
Czas_pieczenia Doba_vaření Doba_pečení Főzési_idő Sütési_idő Főzés_ideje Sütés_ideje Timp_de_gătire
Timp_de_coacere Pişirme_süresi Χρόνος_μαγειρέματος Μαγείρεμα
""",
    "yields": """
Number_of_servings No._of_servings #_of_servings Nombre_de_personnes Nombre_de_portions Raciones Porciones
Comensales Dosi Dosi_per Porzioni Rendimento Porções Portionen Anzahl_Portionen Aantal_personen Aantal_porties
Antal_portioner Antal_personer Antall_porsjoner Porsjoner Annoksia Liczba_porcji Ilość_porcji Počet_porcí
Počet_porcií Adag Adagok_száma Porții Număr_de_porții Порции Количество_порций Порції Кількість_порцій
Porsiyon Kaç_kişilik Μερίδες
""",
    "category": """
Type_de_plat Catégorie Categoría Tipo_de_plato Portata Categoria Tipo_de_prato Kategorie Gericht Gang
Soort_gerecht Kategoria Kategória Категория
""",
    "cuisine": """
Cuisine Cocina Tipo_de_cocina Cucina Cozinha Culinária Küche Keuken Kuchnia Kuchyně Konyha Кухня
""",
}
"""A name of a field -> its labels, "_" for a gap."""

RECIPE_LABELS: Mapping[str, tuple[str, ...]] = {
    name: tuple(labels.split()) for name, labels in _TABLE.items()
}
"""The same, one by one."""
