# Die Regeln der Spiele in Sätzen.
# Sätze über Figuren haben keine Artikel und keine Fürwörter, denn eine fremde Figur heißt, wie sie will.

# Bausteine
list-and = { $first } und { $last }
list-or = { $first } oder { $last }
number =
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
number-alone =
    { $number ->
        [1] eines
       *[other] { number }
    }
times =
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
ordinal =
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
# Ohne Artikel, denn das Geschlecht eines fremden Namens ist unbekannt.
one-of = { $name }
file = Linie { $name }
rank = Reihe { $name }
run = { $from } bis { $to }
region =
    { $name ->
        [camp] Lager
        [center] Zentrum
        [centre] Zentrum
       *[other] Gebiet „{ $name }“
    }
region-own =
    { $case ->
        [dative] dem eigenen { region }
       *[nominative] das eigene { region }
    }
region-enemy =
    { $case ->
        [dative] dem feindlichen { region }
       *[nominative] das feindliche { region }
    }

# Überschriften
board = Das Brett
pieces = Die Figuren
rules = Die Regeln
readings = Wie unklare Stellen gelesen werden
programs = Für Programme

# Woher
invented = Erfunden von { $author }.
invented-in = Erfunden von { $author }, { $year }.
published-in = Zuerst { $year } veröffentlicht.
source = Quelle: { $source }.

# Das Brett
squares =
    { $squares ->
        [one] Ein Feld
       *[other] { $squares } Felder
    }
files =
    { $files ->
        [one] einer Linie
       *[other] { $files } Linien
    }
ranks =
    { $ranks ->
        [one] einer Reihe
       *[other] { $ranks } Reihen
    }
size = { squares } auf { files } (a bis { $last }) und { ranks }.
size-gaps = { squares } auf { files } (a bis { $last }) und { ranks }; wo nichts gezeichnet ist, gibt es kein Feld.
holes =
    { $count ->
        [one] { $holes } ist ein Loch
       *[other] { $holes } sind Löcher
    } im Brett: Wer gleitet, hält davor wie am Rand; wer springt, setzt darüber hinweg.
joined-both = Es gibt keinen Rand: Linie { $file } liegt neben Linie a und Reihe { $rank } neben Reihe 1 (ein Torus).
joined-files = Die Ränder links und rechts sind verbunden: Linie { $file } liegt neben Linie a (ein Zylinder).
joined-ranks = Die Ränder vorn und hinten sind verbunden: Reihe { $rank } liegt neben Reihe 1.
joined-none = Keine Ränder sind verbunden.
forward-up = Vorwärts heißt für Weiß das Brett hinauf, zur Reihe { $end } hin.
forward-down = Vorwärts heißt für Weiß das Brett hinab, zur Reihe 1 hin.
forward-right = Vorwärts heißt für Weiß nach rechts, zur Linie { $end } hin.
forward-left = Vorwärts heißt für Weiß nach links, zur Linie a hin.
forward-corner = Gespielt wird von Ecke zu Ecke: Gerade vorwärts heißt für Weiß auf den Diagonalen in Richtung von { $from } nach { $to }, halblinks vorwärts { $left }, halbrechts vorwärts { $right } und seitwärts auf den Diagonalen in Richtung von { $start } nach { $end }.
along-up = eine Linie hinauf
along-down = eine Linie hinab
along-right = auf einer Reihe nach rechts
along-left = auf einer Reihe nach links
black-turned = Die Seite von Schwarz ist die von Weiß, um 180 Grad gedreht{ $example }.
black-ranks = Die Seite von Schwarz ist die von Weiß, gespiegelt: Aus Reihe 1 wird Reihe { $last }.
black-files = Die Seite von Schwarz ist die von Weiß, gespiegelt: Aus Linie a wird Linie { $last }.
black-diagonal = Die Seite von Schwarz ist die von Weiß, gespiegelt an der Diagonale von { $from } nach { $to }{ $example }.
black-example = : Aus { $one } wird { $other }
start = Die Aufstellung.
start-named = Die Aufstellung ({ $name }).
start-name = „{ $name }“
capitals = Große Buchstaben sind Figuren von Weiß, kleine die von Schwarz.
shuffled = Es gibt { $count } Aufstellungen, in denen diese Figuren nach einer Regel gemischt sind; gezeichnet ist die Nummer { $number }. Für eine neue Partie wird eine ausgelost, wenn keine gewählt ist. Bei der Rochade gehen König und Turm aus allen auf dieselben Felder.
starts = Es gibt { number } Aufstellungen ({ $names }). Gezeichnet ist die erste; für eine neue Partie wird eine ausgelost, wenn keine gewählt ist.
distances = Wie weit jedes Feld vom Lager von Weiß entfernt ist, das mit 0 bezeichnet ist; für Schwarz gelten die Zahlen gespiegelt:

# Die Figuren
legend = Jede ist als weiße Figur gezeichnet, allein auf dem Brett: { $marks }. Betza ist die Schreibweise der Züge in der Datei des Spiels.
mark-either = { $sign } zieht oder schlägt dorthin
mark-quiet = { $sign } zieht dorthin, ohne zu schlagen
mark-capture = { $sign } schlägt nur dort
mark-first = { $sign } zieht im ersten Zug dorthin
mark-over = { $sign } gelangt über eine Figur hinweg dorthin
mark-blocker = { $sign } ist eine Figur im Weg
mark-victim = { $sign } ist eine Figur, die geschlagen wird, wenn sie dem Gegner gehört
immobile = Kann nicht ziehen.
fused = { $one } und { $other } in einer Figur: zieht und schlägt wie beide. Jeder der beiden Teile darf den anderen zurücklassen.
longest = Ein Zug mit Wendungen hat höchstens { number } Schritte, alle zusammengezählt, und kommt auf kein Feld zweimal.
closed = Gesperrt: { $area }. Kein Zug endet dort, und keiner führt hindurch; bei einem Sprung zählt, wo er endet.
notation = Betza: { $moves }
drawn-from = von { $square }
drawn-of-seat = { $seat ->
        [red] Rot
        [blue] Blau
        [yellow] Gelb
       *[green] Grün
    } von { $square }
drawn-among-pieces = mit Figuren im Weg
drawn-elsewhere = Anderswo entsprechend.

# Ein Satz über Züge hat einen oder mehrere Teile: Verb, wie weit und wohin. Leerzeichen um leere Argumente entfallen.
sentence-opening = { sentence }
sentence = { $terms }{ $gain }.
term-either = zieht oder schlägt { $also } { $place } { $when } { $ways }
term-move = zieht { $also } { $place } { $when } ohne zu schlagen { $ways }
term-capture = schlägt { $also } { $place } { $when } { $ways }
also = außerdem
first-move = im ersten Zug
place-from = von { $area } aus
place-edge = , wo { $where } kein Feld ist,
place-from-edge = von { $area } aus, wo { $where } kein Feld ist,
place-there = von dort
edge-ahead = geradeaus
edge-behind = gerade dahinter
edge-left = links
edge-right = rechts
edge-ahead-left = vorn links
edge-ahead-right = vorn rechts
edge-behind-left = hinten links
edge-behind-right = hinten rechts
gained-center = , jedoch nur mit Schritten, die von der Mitte des eigenen Lagers fortführen
gained-farther = , jedoch nur auf ein Feld, das weiter vom eigenen Lager entfernt ist
gained-farthest = , jedoch nur auf dasjenige dieser Felder, das am weitesten vom eigenen Lager entfernt ist, und nur, wenn es weiter entfernt ist als das bisherige
gained-level = , jedoch nur auf ein Feld, das genauso weit vom eigenen Lager entfernt ist

# Die Bedingungen neben der Schreibweise der Datei
if-from = von { $area }
if-edge = wo { $where } kein Feld ist
if-farther = nur weiter fort von { $center }
if-farthest = nur auf das Feld, das am weitesten von { $center } entfernt ist, wenn es weiter entfernt ist
if-level = nur auf ein Feld, das genauso weit von { $center } entfernt ist
center-camp = dem eigenen Lager
center-center = der Mitte des eigenen Lagers

# Wie weit und wohin
far-squares =
    { $number ->
        [0] beliebig viele Felder
       *[other] bis zu { number } Felder
    }
far-leaps =
    { $number ->
        [0] in beliebig vielen Sprüngen
       *[other] in bis zu { number } Sprüngen
    }
way-step = ein Feld { $directions }
way-leap = genau { number } Felder { $directions }, { $over }
way-slide = { far-squares } { $directions }{ $zigzag }{ $over }{ $round }
way-leaps = { far-leaps } von je { $squares } Feldern { $directions }{ $zigzag }, einem nach dem anderen über leere Felder{ $round }
way-oblique = { $oblique }{ $aim }, { $over }
way-obliques = { far-leaps } in einer Richtung, jeder { $oblique }{ $aim }, solange die berührten Felder leer sind
over-clear-one = wenn das Feld dazwischen leer ist
over-clear = wenn die Felder dazwischen leer sind
over-piece = im Sprung über eine Figur gleich welcher Farbe, die dort stehen muss
over-anything = über alles hinweg, was dazwischen steht
oblique-over-beside = wenn das Nachbarfeld auf dem Weg leer ist
oblique-over-anything = { over-anything }
hop-one = , über genau eine Figur auf dem Weg hinweg und dahinter weiter
hop-behind = , über die erste Figur im Weg hinweg auf das Feld gleich dahinter
hop-first = , über das erste Feld hinweg, gleich was darauf steht
zigzag = {" "}im Zickzack, mit jedem Schritt im rechten Winkel, abwechselnd nach links und rechts
round = , auch über die verbundenen Ränder, aber nie zurück auf das Feld, auf dem der Zug begann
sides = { $long } Felder entlang einer Linie oder Reihe und { $short } zur Seite
oblique-knight = wie der Springer im Schach ({ sides })
oblique-camel = mit einem langen Springersprung ({ sides })
oblique-other = mit einem Sprung ({ sides })
each-knight = wie der Springer im Schach ({ sides })
each-camel = wie ein langer Springersprung ({ sides })
each-other = so weit ({ sides })
aim-forward = , nur vorwärts
aim-backward = , nur rückwärts
aim-far-forward = , nur auf den beiden Wegen, die am weitesten vorwärts führen
aim-far-backward = , nur auf den beiden Wegen, die am weitesten rückwärts führen
aim-only = , für Weiß nur um { $steps } in Linien und Reihen

# Richtungen; die mit „half“, wenn vorwärts auf einer Diagonale liegt
to-any = in jede Richtung
to-lines = entlang der Linien und Reihen
to-diagonals = diagonal
to-forward-or-backward = gerade vorwärts oder rückwärts
to-sideways = seitwärts
to-forward-left-or-right = schräg vorwärts
half-forward-left-or-right = halblinks oder halbrechts vorwärts
to-backward-left-or-right = schräg rückwärts
half-backward-left-or-right = halblinks oder halbrechts rückwärts
to-forward = gerade vorwärts
to-backward = gerade rückwärts
to-left = nach links
half-left = seitwärts nach links
to-right = nach rechts
half-right = seitwärts nach rechts
to-forward-left = schräg vorwärts nach links
half-forward-left = halblinks vorwärts
to-forward-right = schräg vorwärts nach rechts
half-forward-right = halbrechts vorwärts
to-backward-left = schräg rückwärts nach links
half-backward-left = halblinks rückwärts
to-backward-right = schräg rückwärts nach rechts
half-backward-right = halbrechts rückwärts

# Wege aus mehreren Teilen
then-may-end = , wo der Zug enden darf, dann{" "}
then-goes-on = , ohne dort zu enden, dann{" "}
leg-one = ein Feld { $along }
leg-up-to = ein bis { number } Felder { $along }
leg-any = ein oder mehr Felder { $along }
leg-leap = { $squares } Felder auf einmal { $along }
leg-leaps-up-to = ein bis { number } Sprünge von je { $squares } Feldern { $along }
leg-leaps-any = ein oder mehr Sprünge von je { $squares } Feldern { $along }
along-line = entlang einer Linie oder Reihe
along-diagonal = diagonal
turn-straight = geradeaus weiter
turn-outward = im Winkel von 45 Grad nach außen
turn-right-angle = im rechten Winkel
turn-inward = im Winkel von 135 Grad zurück
turn-back = gerade zurück
turn-to-left = { $turn }, nach links
turn-to-right = { $turn }, nach rechts

# Die Regeln
aim = Weiß beginnt. Kein Zug darf den eigenen König angegriffen lassen. Wer im Schach steht und keinen regelgerechten Zug hat, ist matt und hat verloren.
goal = Ziel ({ $pieces }): Kommt eine solche Figur durch einen regelgerechten Zug an ihr Ziel, ist die Partie sofort gewonnen; für Weiß liegt es auf { $white }, für Schwarz auf { $black }.
goal-white = Ziel von Weiß ({ $pieces }): Kommt eine solche Figur durch einen regelgerechten Zug auf { $squares }, ist die Partie sofort gewonnen.
goal-black = Ziel von Schwarz ({ $pieces }): Kommt eine solche Figur durch einen regelgerechten Zug auf { $squares }, ist die Partie sofort gewonnen.
promotion-white = Umwandlung für Weiß ({ $pieces }): auf { $squares }. Sie ist Pflicht, und zwar in { $to }.
promotion-black = Umwandlung für Schwarz ({ $pieces }): auf { $squares }. Sie ist Pflicht, und zwar in { $to }.
promotion = Umwandlung ({ $pieces }): für Weiß auf { $white }, für Schwarz auf { $black }. Sie ist Pflicht, und zwar in { $to }.
promotions = Umwandlung ({ $pieces }): Auf bestimmten Feldern ist sie Pflicht; in welche Figur, hängt vom Feld ab: { $zones }. Für Schwarz gelten dieselben Felder, { $how ->
        [turned] um 180 Grad gedreht
       *[mirrored] gespiegelt
    }.
promotion-zone = auf { $squares } in { $to }
no-promotion = Es gibt keine Umwandlung.
fusing = Verbinden: Eine Figur darf auf ein Feld ziehen, auf dem eine eigene steht, so als ob sie diese schlüge, und die beiden werden eine. Diese Paare gibt es: { $pairs }. Eine Verbindung verbindet sich nicht weiter. Geschrieben wird der Zug wie jeder andere, von Feld zu Feld (e4e6), in Partien ohne das Zeichen des Schlagens (Re6).
fusing-pair = { $one } und { $other } ({ $into })
splitting = Trennen: Ein Teil einer Verbindung darf sie in seinem eigenen Zug, ohne zu schlagen, auf ein leeres Feld verlassen, und der andere bleibt stehen. Der Buchstabe des Teils, der geht, steht hinter dem Zug (e4e6r, in Partien Qe6R). Weder Verbinden noch Trennen gilt als Schlagen, und keines von beiden beginnt die Zählung der Züge neu.
en-passant = En passant ({ $pieces }): Unmittelbar nach einem ersten Zug über zwei Felder darf eine solche Figur der anderen Seite, die auf dem übersprungenen Feld schlagen könnte, das tun, als wäre nur ein Feld weit gezogen worden.
no-castling = Es gibt keine Rochade.
castling-white = Rochade, Weiß: { $ways }.
castling-black = Rochade, Schwarz: { $ways }.
castling-short = kurz (O-O), { $how }
castling-long = lang (O-O-O), { $how }
castling-trade = { $king } { $kingfrom } und { $rook } { $rookfrom } tauschen die Plätze
castling-way = { $king } von { $kingfrom } nach { $kingto } und { $rook } von { $rookfrom } nach { $rookto }
castling-terms = Für die Rochade gilt: { $history }; alle Felder zwischen den beiden Figuren und auf ihren Wegen müssen leer sein; { $attacks }.
history-unmoved = beide Figuren dürfen noch nicht gezogen haben
history-forgotten = was vorher geschah, zählt nicht, es genügt, dass beide Figuren auf ihren Feldern stehen
history-mixed = manche brauchen ein Recht, das verloren geht, wenn eine der beiden Figuren zieht (siehe die Aufstellung)
attacks-free = sie darf aus dem Schach heraus und über angegriffene Felder führen, aber nicht ins Schach
attacks-strict = sie darf weder aus dem Schach heraus noch über ein angegriffenes Feld noch ins Schach führen
attacks-ends = sie darf nicht ins Schach führen
stalemate-draw = Wer nicht im Schach steht, aber keinen regelgerechten Zug hat, ist patt, und die Partie ist remis.
stalemate-loss = Wer nicht im Schach steht, aber keinen regelgerechten Zug hat, ist patt und hat verloren.
stalemate-win = Wer nicht im Schach steht, aber keinen regelgerechten Zug hat, ist patt und hat gewonnen.
repetition-none = Wiederholte Stellungen machen die Partie nicht remis.
repetition-end = Kommt eine Stellung { $end } vor, ist die Partie remis.
repetition-claim = Ist eine Stellung { $claim } vorgekommen, darf ein Spieler Remis reklamieren.
repetition-both = Ist eine Stellung { $claim } vorgekommen, darf ein Spieler Remis reklamieren; beim { $end } Mal ist die Partie remis.
moves-of-each =
    { $number ->
        [one] einem Zug
       *[other] { $number } Zügen
    }
such-moves-of-each =
    { $number ->
        [one] einem solchen Zug
       *[other] { $number } solchen Zügen
    }
idle =
    { $pawns ->
        [none] ohne Schlagen
        [Bauer] ohne Schlagen und ohne Bauernzug
       *[other] ohne Schlagen und ohne Zug mit { $pawns }
    }
count-none = Die Zahl der Züge ist nicht begrenzt.
count-end = Nach { $end } jeder Seite { idle } ist die Partie remis.
count-claim = Nach { $claim } jeder Seite { idle } darf ein Spieler Remis reklamieren.
count-both = Nach { $claim } jeder Seite { idle } darf ein Spieler Remis reklamieren; nach { $such } jeder Seite ist die Partie remis.
dead-none = Keine Stellung gilt wegen des Materials als tot: Auch mit dem bloßen König wird weitergespielt.
dead = Die Partie ist sofort remis, wenn mit den übrigen Figuren niemand mehr gewinnen kann: { $material }.
against = { $one } gegen { $other }

# Für Programme
id = Kennung
start-label = Start
start-label-number = Start { $number }

# Partien zu dritt und zu viert
three-seats = Drei Spieler sitzen darum herum: Rot unten, Blau links und Gelb oben.
three-turns = Rot beginnt, dann folgen Blau und Gelb.
four-seats = Vier Spieler sitzen darum herum: Rot unten, Blau links, Gelb oben und Grün rechts.
four-owners = Die Ausgangsstellung. Vor jeder Figur steht der Buchstabe ihres Spielers: r (Rot), b (Blau), y (Gelb), g (Grün).
four-legend = Jede ist als Figur von Rot gezeichnet, allein auf dem Brett: { $marks }. Betza ist die Schreibweise der Züge in der Datei des Spiels.
four-as-red = Die Figuren sind beschrieben, wie sie für Rot ziehen. Die der anderen ziehen ebenso auf dem Brett, das zu ihrer Seite gedreht ist.
four-turns = Rot beginnt, dann folgen Blau, Gelb und Grün.
four-check = Kein Zug darf den eigenen König so stehen lassen, dass eine Figur eines verbliebenen Gegners ihn schlagen könnte. Könige werden nie geschlagen: Ein König, der angegriffen ist, während andere ziehen, wartet, bis er an der Reihe ist.
four-promotion = Umwandlung für Rot ({ $pieces }): auf { $squares }. Sie ist Pflicht, und zwar in { $to }; für die anderen auf denselben Feldern des Bretts, das zu ihrer Seite gedreht ist.
en-passant-of-four = En passant ({ $pieces }): Nach einem ersten Zug über zwei Felder, bis sein Spieler wieder am Zug ist, darf jede solche Figur eines Gegners, die auf dem übersprungenen Feld schlagen könnte, das tun, als wäre nur ein Feld weit gezogen worden. Eine Figur, die ein anderer Spieler inzwischen dorthin gezogen hat, wird mitgeschlagen.
castling-seat = Rochade, { $seat ->
        [red] Rot
        [blue] Blau
        [yellow] Gelb
       *[green] Grün
    }: { $ways }.
alone-alliances = Jeder spielt allein gegen die { $others ->
        [2] beiden
       *[3] drei
    } anderen. Wer als Letzter übrig ist, hat den ersten Platz; die anderen folgen in der Reihenfolge, in der sie ausgeschieden sind, der Letzte zuerst.
teams-alliances = Rot und Gelb spielen zusammen gegen Blau und Grün. Die Figur des Partners versperrt den Weg, kann nicht geschlagen werden und gibt kein Schach.
alone-going-out = Wer an die Reihe kommt, im Schach steht und keinen gültigen Zug hat, ist matt und scheidet aus; ebenso, wer aufgibt (wenn er am Zug ist) oder keine Zeit mehr hat. Der König verlässt das Brett. Die anderen Figuren bleiben als tote Figuren stehen: Sie versperren den Weg und können geschlagen werden, ziehen nie und geben kein Schach.
teams-going-out = Ein Team verliert, wenn einer seiner Spieler matt ist oder keine Zeit mehr hat oder wenn einer aufgibt und der Partner zustimmt.
alone-passing = Wer keinen gültigen Zug hat und nicht im Schach steht, setzt aus. Sind noch zwei übrig, ist es zwischen ihnen remis.
teams-passing = Wer keinen gültigen Zug hat und nicht im Schach steht, setzt aus, wenn der Partner ziehen kann oder im Schach steht; sonst ist die Partie remis.
alone-draws = Die Partie endet unter den Verbliebenen remis nach { $moves } Zügen eines jeden ohne Schlagen, Bauernzug oder Ausscheiden, wenn eine Stellung { $occurrences }-mal vorkommt, wenn sie nur noch ihre Könige haben oder wenn alle zustimmen. Dann entscheidet über die Plätze, was sie auf dem Brett haben: 3 für eine Figur, 1 für einen Bauern; wer gleich viel hat, teilt den Platz.
teams-draws = Die Partie endet remis nach { $moves } Zügen eines jeden ohne Schlagen oder Bauernzug, wenn eine Stellung { $occurrences }-mal vorkommt, wenn alle nur noch ihre Könige haben oder wenn alle zustimmen. Überschreitet ein Team die Zeit gegen bloße Könige, ist es remis.
