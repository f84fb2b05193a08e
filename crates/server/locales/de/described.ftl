# Die Regeln der Spiele in Sätzen; das Original steht in `rules`, in `variant/describe/english.rs`.
# Sätze über Figuren haben keine Artikel und keine Fürwörter, denn eine fremde Figur heißt, wie sie will.

# Bausteine
described-list-and = { $first } und { $last }
described-list-or = { $first } oder { $last }
described-number =
    { $number ->
        [0] null
        [1] ein
        [2] zwei
        [3] drei
        [4] vier
        [5] fünf
        [6] sechs
        [7] sieben
        [8] acht
        [9] neun
        [10] zehn
        [11] elf
        [12] zwölf
       *[other] { $number }
    }
described-number-alone =
    { $number ->
        [1] eines
       *[other] { described-number }
    }
described-times =
    { $number ->
        [0] nullmal
        [1] einmal
        [2] zweimal
        [3] dreimal
        [4] viermal
        [5] fünfmal
        [6] sechsmal
        [7] siebenmal
        [8] achtmal
        [9] neunmal
        [10] zehnmal
        [11] elfmal
        [12] zwölfmal
       *[other] { $number }-mal
    }
described-ordinal =
    { $number ->
        [1] ersten
        [2] zweiten
        [3] dritten
        [4] vierten
        [5] fünften
        [6] sechsten
        [7] siebten
        [8] achten
        [9] neunten
        [10] zehnten
        [11] elften
        [12] zwölften
       *[other] { $number }.
    }
described-file = Linie { $name }
described-rank = Reihe { $name }
described-run = { $from } bis { $to }
described-region =
    { $name ->
        [camp] Lager
        [center] Zentrum
        [centre] Zentrum
       *[other] Gebiet „{ $name }“
    }
described-region-own =
    { $case ->
        [dative] dem eigenen { described-region }
       *[nominative] das eigene { described-region }
    }
described-region-enemy =
    { $case ->
        [dative] dem feindlichen { described-region }
       *[nominative] das feindliche { described-region }
    }

# Überschriften
described-board = Das Brett
described-pieces = Die Figuren
described-rules = Die Regeln
described-readings = Wie unklare Stellen gelesen werden
described-programs = Für Programme

# Woher
described-invented = Erfunden von { $author }.
described-invented-in = Erfunden von { $author }, { $year }.
described-published-in = Zuerst { $year } veröffentlicht.
described-source = Quelle: { $source }.

# Das Brett
described-squares =
    { $squares ->
        [one] Ein Feld
       *[other] { $squares } Felder
    }
described-files =
    { $files ->
        [one] einer Linie
       *[other] { $files } Linien
    }
described-ranks =
    { $ranks ->
        [one] einer Reihe
       *[other] { $ranks } Reihen
    }
described-size = { described-squares } auf { described-files } (a bis { $last }) und { described-ranks }.
described-size-gaps = { described-squares } auf { described-files } (a bis { $last }) und { described-ranks }; wo nichts gezeichnet ist, gibt es kein Feld.
described-holes =
    { $count ->
        [one] { $holes } ist ein Loch
       *[other] { $holes } sind Löcher
    } im Brett: Wer gleitet, hält davor wie am Rand; wer springt, setzt darüber hinweg.
described-joined-both = Es gibt keinen Rand: Linie { $file } liegt neben Linie a und Reihe { $rank } neben Reihe 1 (ein Torus).
described-joined-files = Die Ränder links und rechts sind verbunden: Linie { $file } liegt neben Linie a (ein Zylinder).
described-joined-ranks = Die Ränder vorn und hinten sind verbunden: Reihe { $rank } liegt neben Reihe 1.
described-joined-none = Keine Ränder sind verbunden.
described-forward-up = Vorwärts heißt für Weiß das Brett hinauf, zur Reihe { $end } hin.
described-forward-down = Vorwärts heißt für Weiß das Brett hinab, zur Reihe 1 hin.
described-forward-right = Vorwärts heißt für Weiß nach rechts, zur Linie { $end } hin.
described-forward-left = Vorwärts heißt für Weiß nach links, zur Linie a hin.
described-forward-corner = Gespielt wird von Ecke zu Ecke: Gerade vorwärts heißt für Weiß auf den Diagonalen in Richtung von { $from } nach { $to }, halblinks vorwärts { $left }, halbrechts vorwärts { $right } und seitwärts auf den Diagonalen in Richtung von { $start } nach { $end }.
described-along-up = eine Linie hinauf
described-along-down = eine Linie hinab
described-along-right = auf einer Reihe nach rechts
described-along-left = auf einer Reihe nach links
described-black-turned = Die Seite von Schwarz ist die von Weiß, um 180 Grad gedreht{ $example }.
described-black-ranks = Die Seite von Schwarz ist die von Weiß, gespiegelt: Aus Reihe 1 wird Reihe { $last }.
described-black-files = Die Seite von Schwarz ist die von Weiß, gespiegelt: Aus Linie a wird Linie { $last }.
described-black-diagonal = Die Seite von Schwarz ist die von Weiß, gespiegelt an der Diagonale von { $from } nach { $to }{ $example }.
described-black-example = : Aus { $one } wird { $other }
described-start = Die Aufstellung.
described-start-named = Die Aufstellung ({ $name }).
described-start-name = „{ $name }“
described-capitals = Große Buchstaben sind Figuren von Weiß, kleine die von Schwarz.
described-starts = Es gibt { described-number } Aufstellungen ({ $names }). Gezeichnet ist die erste; für eine neue Partie wird eine ausgelost, wenn keine gewählt ist.
described-distances = Wie weit jedes Feld vom Lager von Weiß entfernt ist, das mit 0 bezeichnet ist; für Schwarz gelten die Zahlen gespiegelt:

# Die Figuren
described-legend = Jede ist als weiße Figur gezeichnet, allein auf dem Brett: { $marks }. Betza ist die Schreibweise der Züge in der Datei des Spiels.
described-mark-either = { $sign } zieht oder schlägt dorthin
described-mark-quiet = { $sign } zieht dorthin, ohne zu schlagen
described-mark-capture = { $sign } schlägt nur dort
described-mark-first = { $sign } zieht im ersten Zug dorthin
described-mark-over = { $sign } gelangt über eine Figur hinweg dorthin
described-mark-blocker = { $sign } ist eine Figur im Weg
described-mark-victim = { $sign } ist eine Figur, die geschlagen wird, wenn sie dem Gegner gehört
described-immobile = Kann nicht ziehen.
described-fused = { $one } und { $other } in einer Figur: zieht und schlägt wie beide. Jeder der beiden Teile darf den anderen zurücklassen.
described-longest = Ein Zug mit Wendungen hat höchstens { described-number } Schritte, alle zusammengezählt, und kommt auf kein Feld zweimal.
described-closed = Gesperrt: { $area }. Kein Zug endet dort, und keiner führt hindurch; bei einem Sprung zählt, wo er endet.
described-notation = Betza: { $moves }
described-drawn-from = von { $square }
described-drawn-among-pieces = mit Figuren im Weg
described-drawn-elsewhere = Anderswo entsprechend.

# Ein Satz über Züge: Verb, „außerdem“, von wo, „im ersten Zug“, „ohne zu schlagen“, wie weit und wohin, was davon gilt.
described-verb-either = zieht oder schlägt
described-verb-move = zieht
described-verb-capture = schlägt
described-also = außerdem
described-from = von { $area } aus
described-from-there = von dort
described-first-move = im ersten Zug
described-without-capture = ohne zu schlagen
described-edge = , wo { $where } kein Feld ist,
described-edge-ahead = geradeaus
described-edge-behind = gerade dahinter
described-edge-left = links
described-edge-right = rechts
described-edge-ahead-left = vorn links
described-edge-ahead-right = vorn rechts
described-edge-behind-left = hinten links
described-edge-behind-right = hinten rechts
described-gained-center = , jedoch nur mit Schritten, die von der Mitte des eigenen Lagers fortführen
described-gained-farther = , jedoch nur auf ein Feld, das weiter vom eigenen Lager entfernt ist
described-gained-farthest = , jedoch nur auf dasjenige dieser Felder, das am weitesten vom eigenen Lager entfernt ist, und nur, wenn es weiter entfernt ist als das bisherige
described-gained-level = , jedoch nur auf ein Feld, das genauso weit vom eigenen Lager entfernt ist

# Die Bedingungen neben der Schreibweise der Datei
described-if-from = von { $area }
described-if-edge = wo { $where } kein Feld ist
described-if-farther = nur weiter fort von { $center }
described-if-farthest = nur auf das Feld, das am weitesten von { $center } entfernt ist, wenn es weiter entfernt ist
described-if-level = nur auf ein Feld, das genauso weit von { $center } entfernt ist
described-center-camp = dem eigenen Lager
described-center-center = der Mitte des eigenen Lagers

# Wie weit und wohin
described-far-squares =
    { $number ->
        [0] beliebig viele Felder
       *[other] bis zu { described-number } Felder
    }
described-far-leaps =
    { $number ->
        [0] in beliebig vielen Sprüngen
       *[other] in bis zu { described-number } Sprüngen
    }
described-way-step = ein Feld { $directions }
described-way-leap = genau { described-number } Felder { $directions }, { $over }
described-way-slide = { described-far-squares } { $directions }{ $zigzag }{ $over }{ $round }
described-way-leaps = { described-far-leaps } von je { $squares } Feldern { $directions }{ $zigzag }, einem nach dem anderen über leere Felder{ $round }
described-way-oblique = { $oblique }{ $aim }, { $over }
described-way-obliques = { described-far-leaps } in einer Richtung, jeder { $oblique }{ $aim }, solange die berührten Felder leer sind
described-over-clear-one = wenn das Feld dazwischen leer ist
described-over-clear = wenn die Felder dazwischen leer sind
described-over-piece = im Sprung über eine Figur gleich welcher Farbe, die dort stehen muss
described-over-anything = über alles hinweg, was dazwischen steht
described-over-beside = wenn das Nachbarfeld auf dem Weg leer ist
described-hop-one = , über genau eine Figur auf dem Weg hinweg und dahinter weiter
described-hop-behind = , über die erste Figur im Weg hinweg auf das Feld gleich dahinter
described-hop-first = , über das erste Feld hinweg, gleich was darauf steht
described-zigzag = {" "}im Zickzack, mit jedem Schritt im rechten Winkel, abwechselnd nach links und rechts
described-round = , auch über die verbundenen Ränder, aber nie zurück auf das Feld, auf dem der Zug begann
described-sides = { $long } Felder entlang einer Linie oder Reihe und { $short } zur Seite
described-oblique-knight = wie der Springer im Schach ({ described-sides })
described-oblique-camel = mit einem langen Springersprung ({ described-sides })
described-oblique-other = mit einem Sprung ({ described-sides })
described-each-knight = wie der Springer im Schach ({ described-sides })
described-each-camel = wie ein langer Springersprung ({ described-sides })
described-each-other = so weit ({ described-sides })
described-aim-forward = , nur vorwärts
described-aim-backward = , nur rückwärts
described-aim-far-forward = , nur auf den beiden Wegen, die am weitesten vorwärts führen
described-aim-far-backward = , nur auf den beiden Wegen, die am weitesten rückwärts führen
described-aim-only = , für Weiß nur um { $steps } in Linien und Reihen

# Richtungen; die mit „half“, wenn vorwärts auf einer Diagonale liegt
described-to-any = in jede Richtung
described-to-lines = entlang der Linien und Reihen
described-to-diagonals = diagonal
described-to-forward-or-backward = gerade vorwärts oder rückwärts
described-to-sideways = seitwärts
described-to-forward-left-or-right = schräg vorwärts
described-half-forward-left-or-right = halblinks oder halbrechts vorwärts
described-to-backward-left-or-right = schräg rückwärts
described-half-backward-left-or-right = halblinks oder halbrechts rückwärts
described-to-forward = gerade vorwärts
described-to-backward = gerade rückwärts
described-to-left = nach links
described-half-left = seitwärts nach links
described-to-right = nach rechts
described-half-right = seitwärts nach rechts
described-to-forward-left = schräg vorwärts nach links
described-half-forward-left = halblinks vorwärts
described-to-forward-right = schräg vorwärts nach rechts
described-half-forward-right = halbrechts vorwärts
described-to-backward-left = schräg rückwärts nach links
described-half-backward-left = halblinks rückwärts
described-to-backward-right = schräg rückwärts nach rechts
described-half-backward-right = halbrechts rückwärts

# Wege aus mehreren Teilen
described-then-may-end = , wo der Zug enden darf, dann{" "}
described-then-goes-on = , ohne dort zu enden, dann{" "}
described-leg-one = ein Feld { $along }
described-leg-up-to = ein bis { described-number } Felder { $along }
described-leg-any = ein oder mehr Felder { $along }
described-leg-leap = { $squares } Felder auf einmal { $along }
described-leg-leaps-up-to = ein bis { described-number } Sprünge von je { $squares } Feldern { $along }
described-leg-leaps-any = ein oder mehr Sprünge von je { $squares } Feldern { $along }
described-along-line = entlang einer Linie oder Reihe
described-along-diagonal = diagonal
described-turn-straight = geradeaus weiter
described-turn-outward = im Winkel von 45 Grad nach außen
described-turn-right-angle = im rechten Winkel
described-turn-inward = im Winkel von 135 Grad zurück
described-turn-back = gerade zurück
described-turn-to-left = { $turn }, nach links
described-turn-to-right = { $turn }, nach rechts

# Die Regeln
described-aim = Weiß beginnt. Kein Zug darf den eigenen König angegriffen lassen. Wer im Schach steht und keinen regelgerechten Zug hat, ist matt und hat verloren.
described-goal = Ziel ({ $pieces }): Kommt eine solche Figur durch einen regelgerechten Zug an ihr Ziel, ist die Partie sofort gewonnen; für Weiß liegt es auf { $white }, für Schwarz auf { $black }.
described-promotion = Umwandlung ({ $pieces }): für Weiß auf { $white }, für Schwarz auf { $black }. Sie ist Pflicht, und zwar in { $to }.
described-promotions = Umwandlung ({ $pieces }): Auf bestimmten Feldern ist sie Pflicht; in welche Figur, hängt vom Feld ab: { $zones }. Für Schwarz gelten dieselben Felder, { $how ->
        [turned] um 180 Grad gedreht
       *[mirrored] gespiegelt
    }.
described-promotion-zone = auf { $squares } in { $to }
described-no-promotion = Es gibt keine Umwandlung.
described-fusing = Verbinden: Eine Figur darf auf ein Feld ziehen, auf dem eine eigene steht, so als ob sie diese schlüge, und die beiden werden eine. Diese Paare gibt es: { $pairs }. Eine Verbindung verbindet sich nicht weiter. Geschrieben wird der Zug wie jeder andere, von Feld zu Feld (e4e6), in Partien ohne das Zeichen des Schlagens (Re6).
described-fusing-pair = { $one } und { $other } ({ $into })
described-splitting = Trennen: Ein Teil einer Verbindung darf sie in seinem eigenen Zug, ohne zu schlagen, auf ein leeres Feld verlassen, und der andere bleibt stehen. Der Buchstabe des Teils, der geht, steht hinter dem Zug (e4e6r, in Partien Qe6R). Weder Verbinden noch Trennen gilt als Schlagen, und keines von beiden beginnt die Zählung der Züge neu.
described-en-passant = En passant ({ $pieces }): Unmittelbar nach einem ersten Zug über zwei Felder darf eine solche Figur der anderen Seite, die auf dem übersprungenen Feld schlagen könnte, das tun, als wäre nur ein Feld weit gezogen worden.
described-no-castling = Es gibt keine Rochade.
described-castling-white = Rochade, Weiß: { $ways }.
described-castling-black = Rochade, Schwarz: { $ways }.
described-castling-short = kurz (O-O), { $how }
described-castling-long = lang (O-O-O), { $how }
described-castling-trade = { $king } { $kingfrom } und { $rook } { $rookfrom } tauschen die Plätze
described-castling-way = { $king } von { $kingfrom } nach { $kingto } und { $rook } von { $rookfrom } nach { $rookto }
described-castling-terms = Für die Rochade gilt: { $history }; alle Felder zwischen den beiden Figuren und auf ihren Wegen müssen leer sein; { $attacks }.
described-history-unmoved = beide Figuren dürfen noch nicht gezogen haben
described-history-forgotten = was vorher geschah, zählt nicht, es genügt, dass beide Figuren auf ihren Feldern stehen
described-history-mixed = manche brauchen ein Recht, das verloren geht, wenn eine der beiden Figuren zieht (siehe die Aufstellung)
described-attacks-free = sie darf aus dem Schach heraus und über angegriffene Felder führen, aber nicht ins Schach
described-attacks-strict = sie darf weder aus dem Schach heraus noch über ein angegriffenes Feld noch ins Schach führen
described-attacks-ends = sie darf nicht ins Schach führen
described-stalemate-draw = Wer nicht im Schach steht, aber keinen regelgerechten Zug hat, ist patt, und die Partie ist remis.
described-stalemate-loss = Wer nicht im Schach steht, aber keinen regelgerechten Zug hat, ist patt und hat verloren.
described-stalemate-win = Wer nicht im Schach steht, aber keinen regelgerechten Zug hat, ist patt und hat gewonnen.
described-repetition-none = Wiederholte Stellungen machen die Partie nicht remis.
described-repetition-end = Kommt eine Stellung { $end } vor, ist die Partie remis.
described-repetition-claim = Ist eine Stellung { $claim } vorgekommen, darf ein Spieler Remis reklamieren.
described-repetition-both = Ist eine Stellung { $claim } vorgekommen, darf ein Spieler Remis reklamieren; beim { $end } Mal ist die Partie remis.
described-moves-of-each =
    { $number ->
        [one] einem Zug
       *[other] { $number } Zügen
    }
described-such-moves-of-each =
    { $number ->
        [one] einem solchen Zug
       *[other] { $number } solchen Zügen
    }
described-idle =
    { $pawns ->
        [none] ohne Schlagen
        [Bauer] ohne Schlagen und ohne Bauernzug
       *[other] ohne Schlagen und ohne Zug mit { $pawns }
    }
described-count-none = Die Zahl der Züge ist nicht begrenzt.
described-count-end = Nach { $end } jeder Seite { described-idle } ist die Partie remis.
described-count-claim = Nach { $claim } jeder Seite { described-idle } darf ein Spieler Remis reklamieren.
described-count-both = Nach { $claim } jeder Seite { described-idle } darf ein Spieler Remis reklamieren; nach { $such } jeder Seite ist die Partie remis.
described-dead-none = Keine Stellung gilt wegen des Materials als tot: Auch mit dem bloßen König wird weitergespielt.
described-dead = Die Partie ist sofort remis, wenn mit den übrigen Figuren niemand mehr gewinnen kann: { $material }.
described-against = { $one } gegen { $other }

# Für Programme
described-id = Kennung
described-start-label = Start
described-start-label-number = Start { $number }
