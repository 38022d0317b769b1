"""A page that tries everything by which markup runs, asks for something or leads somewhere."""

RUNS = """<script>document.title='ran'; fetch('{0}/script')</script>
<img src="{0}/img" onerror="fetch('{0}/onerror')" srcset="{0}/srcset 2x" onload="document.title='ran'">
<body onload="document.title='ran'" background="{0}/background">
<svg onload="document.title='ran'"><script href="{0}/svg"></script><image href="{0}/image"/><use href="{0}/use#a"/>
<foreignObject><iframe src="{0}/foreign"></iframe></foreignObject></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src={0}/mxss onerror=alert(1)&gt;">
</style></mglyph></table></mtext></math>
<noscript><p title="</noscript><img src={0}/noscript onerror=alert(1)>"></noscript>
<iframe srcdoc="<script>parent.document.title='ran'</script>" src="{0}/iframe"></iframe>
<object data="{0}/object"></object><embed src="{0}/embed"><video src="{0}/video" poster="{0}/poster" autoplay></video>
<audio src="{0}/audio" autoplay></audio><link rel=stylesheet href="{0}/css"><link rel=preload as=image href="{0}/preload">
<link rel=dns-prefetch href="{0}/dns"><style>@import "{0}/import"; body {{ background: url({0}/bg) }}</style>
<meta http-equiv=refresh content="0;url={0}/refresh"><base href="{0}/base/"><div style="background: url({0}/style)">a</div>
<form action="{0}/form"><button formaction="{0}/button" autofocus>b</button><input type=image src="{0}/input"></form>
<a href="javascript:document.title='ran'" id=link ping="{0}/ping">leads</a><a href="{0}/link" id=crawloop-read>away</a>
<template><img src="{0}/template"></template><xmp><img src="{0}/xmp"></xmp><textarea></textarea><img src="{0}/textarea">
<title></title><img src="{0}/title"></title><marquee onstart="document.title='ran'">m</marquee>
<details open ontoggle="document.title='ran'"><summary>s</summary></details><plaintext><img src="{0}/plaintext">
"""


def hostile_page(address: str) -> str:
    """The page; whatever it gets to ask for is asked of an address."""
    return f'<html><head></head><body><h1 id=\'x\' class="y">Kettle &lt;b&gt; "</h1>{RUNS.format(address)}</body></html>'
