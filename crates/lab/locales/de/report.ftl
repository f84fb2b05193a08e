# Der Bericht über die Ausgeglichenheit eines Spiels.
balance-report = Spielbalance
lead = Ein Spiel{ $by } auf { $squares } Feldern. { $games } Partien der Engine gegen sich selbst mit { $nodes } Knoten je Zug, keine zwei gleich.
by-author = von { $author }
by-author-year = von { $author }, { $year }
start-of = Die Anfangsstellung von { $game }
table = Tabelle

name-white-score = Ergebnis von Weiß
name-white-score-weak = Ergebnis von Weiß, schwächere Spieler
name-draws = Remis
name-draws-weak = Remis, schwächere Spieler
name-ending-checkmate = Matt
name-ending-goal = Zielfeld
name-ending-stalemate = Patt
name-ending-repetition = Stellungswiederholung
name-ending-move-count = Zügezahl
name-ending-dead-position = Tote Stellung
name-ending-too-long = Zu lang
name-length = Länge
name-length-mean = Mittlere Länge
name-legal-moves = Mögliche Züge
name-tree-size = Größe des Spielbaums
name-lead-changes = Führungswechsel
name-decided-at = Entschieden nach
name-drama = Dramatik
name-board-use = Genutztes Brett
name-sharpness = Schärfe
name-doubling = Doppelte Bedenkzeit
name-depth = Vierfache Bedenkzeit

who = mit { $nodes } Knoten je Zug
who-weak = auf Stufe { $level }
better-white = Weiß ist um { $elo } Elo im Vorteil
better-black = Schwarz ist um { $elo } Elo im Vorteil
means-nothing = Keine Partie zählt dafür.
means-white-score = Von 100 Punkten zwischen gleich starken Spielern { $who } holt Weiß { $points }: { $better }.
means-draws = { $share } der Partien zwischen gleich starken Spielern { $who } enden remis.
means-ending-checkmate = { $share } der Partien enden mit Matt.
means-ending-goal = { $share } der Partien enden auf einem Zielfeld.
means-ending-stalemate = { $share } der Partien enden, weil eine Seite nicht ziehen kann.
means-ending-repetition = { $share } der Partien enden remis, weil sich eine Stellung wiederholt.
means-ending-move-count = { $share } der Partien enden remis, weil zu lange nichts geschlagen wurde.
means-ending-dead-position = { $share } der Partien enden remis, weil niemand mehr gewinnen kann.
means-ending-too-long = { $share } der Partien wurden nach 2.000 Halbzügen als remis abgebrochen.
means-length = Die Hälfte der Partien hat höchstens { $moves } Züge jeder Seite.
means-length-mean = Im Mittel hat eine Partie { $moves } Züge jeder Seite.
means-legal-moves = In einer Stellung hat man im Mittel die Wahl zwischen { $count } Zügen.
means-tree-size = Partien dieser Länge lassen sich auf etwa 10 hoch { $count } Weisen spielen; für orthodoxes Schach rechnet man mit 10 hoch 123.
means-lead-changes = Die Führung wechselt nach Ansicht der Engine { $count }-mal je Partie.
means-decided-at = Gewonnene Partien sind nach { $share } ihrer Züge entschieden: Von da an bleibt der Sieger klar in Führung.
means-drama = Im Mittel liegt die Gewinnerwartung des Siegers { $points } von hundert Punkten unter der Hälfte: 0, wenn Sieger nie schlechter stehen.
means-board-use = In einer Partie kommt auf { $share } der Felder irgendeine Figur an.
means-sharpness = In { $share } der Stellungen ist ein Zug um einen Zehntelpunkt oder mehr besser als alle anderen.
means-doubling = Mit doppelt so vielen Knoten holt die Engine { $share } der Punkte: { $pays }.
means-depth = Mit viermal so vielen Knoten holt die Engine { $share } der Punkte: { $pays }.
pays = Längeres Nachdenken lohnt sich
pays-not = Längeres Nachdenken lohnt sich bei dieser Spielstärke kaum

word-level = ausgeglichen
word-as-chess = wie im Schach
word-marked = deutlich
word-unfair = unfair
word-sharp = scharf
word-balanced = ausgewogen
word-drawish = remisträchtig

in-elo = { $number } Elo
in-moves = { $number } Züge
at-least = mindestens { $number }
at-most = höchstens { $number }
between = { $low } bis { $high }

games-played = { $games } Partien, { $nodes } Knoten je Zug

column-number = Größe
column-value = Wert
column-interval = 95-%-Intervall
column-meaning = Bedeutung

results = Ergebnisse
full-strength = Volle Stärke, { $nodes } Knoten je Zug
weaker = Stufe { $level }, Wertung etwa { $rating }
white = Weiß
draws = remis
black = Schwarz

course = Verlauf der Partie
caption-lengths = Länge der Partien.
caption-lead = Die erwarteten Punkte der führenden Seite im Lauf der Partie. Steigt die Kurve spät, bleibt das Spiel lange offen.
caption-legal = Züge, die zur Wahl stehen: der Mittelwert und der Bereich der mittleren Hälfte der Partien.
axis-moves = Züge jeder Seite
axis-games = Partien
axis-legal = mögliche Züge
axis-part = gespielter Teil der Partie
axis-lead = Erwartung der führenden Seite
axis-pawns = Bauern

pieces = Figuren
pieces-lead = Züge und Schlagfälle der Figuren in einer Partie, beide Seiten zusammen, und ihr Wert in Bauern.
pieces-explained = <b>Züge</b>, <b>Schläge</b> und <b>Umgewandelt</b> sagen, wie oft das im Mittel in einer Partie geschieht. <b>Geschlagen</b> ist der Anteil aller Figuren dieser Art, auch der durch Umwandlung entstandenen, die der Gegner schlägt.
pieces-intervals = Unter einer Zahl steht ihr 95-%-Intervall.
column-piece = Figur
column-at-start = Am Anfang
column-moves = Züge
column-captures = Schläge
column-captured = Geschlagen
column-promoted = Umgewandelt
column-derived = Abgeleitet
column-engine = Engine
column-fitted = Angepasst
few-positions = In zu wenigen Partien waren die Figuren in ruhigen Stellungen ungleich, um Werte anzupassen.
key-derived = aus den Zügen abgeleitet
key-fitted = an die Ergebnisse angepasst, mit 95-%-Intervall
values-explained = <b>Abgeleitete</b> Werte folgen daraus, wie viele Felder eine Figur erreicht, bevor eine Partie gespielt ist. <b>Angepasste</b> Werte sind die, mit denen das Material die Ergebnisse am besten vorhersagt, so skaliert, dass ein Heer gleich viel wert ist. Die Engine tauscht nach ihren eigenen Werten, was die angepassten zu diesen hinzieht; überlappen sich zwei Intervalle, können die Werte gleich sein.

first-moves = Erste Züge
first-moves-lead = Die Erwartung der Engine nach jedem ersten Zug und die Ergebnisse der Partien, die damit begannen. Die ersten Züge wurden ausgelost, ihre Häufigkeit sagt also nichts; je weniger Partien, desto näher rücken die Ergebnisse an das Mittel aller Partien.
first-moves-pale = Züge mit weniger als 30 Partien sind blass gedruckt.
more-moves = Weitere Züge: { $count }
column-move = Zug
column-expects = Engine erwartet
column-games = Partien
column-score = Ergebnis von Weiß

board = Das Brett
board-lead = Je dunkler ein Feld, desto mehr geschieht dort.
map-traffic = Verkehr
map-mobility = Beweglichkeit
map-endings = Ende
caption-traffic = Ankünfte von Figuren.
caption-mobility = Erlaubte Züge der Figuren.
caption-endings = Enden gewonnener Partien: das Feld des mattgesetzten Königs oder das erreichte Zielfeld.
arrivals = { $number } Ankünfte je Partie
moves-there = { $number } mögliche Züge je Stellung
ended-there = { $share } der gewonnenen Partien

thinking = Hilft Nachdenken?
thinking-lead = Die Engine gegen sich selbst mit mehr Knoten, jede Eröffnung zweimal mit vertauschten Farben. In einem tiefen Spiel gewinnt längeres Nachdenken immer weiter; in einem flachen sehen beide Seiten bald alles.

beside = Neben anderen Spielen
column-game = Spiel
column-white = Weiß
column-draws = Remis
column-length = Länge
column-changes = Führungswechsel
column-decided = Entschieden
column-sharp = Schärfe
column-depth = 4× Knoten
games-and-nodes = { $games } Partien, { $nodes } Knoten

method = Verfahren und Grenzen
method-openings = <b>Eröffnungen.</b> { $random } zufällige Halbzüge, dann { $chosen } unter den Zügen der Engine ausgelost, die besseren häufiger. Eine Eröffnung zählt, wenn sie die Bewertung der Anfangsstellung um weniger als einen Bauern ändert; ein Vorteil der Anfangsstellung bleibt also in den Partien.
method-starts = Die { $count } Anfangsstellungen wechseln sich ab.
method-games = <b>Partien.</b> { $full } mit { $nodes } Knoten je Zug, { $weak } auf Stufe { $level } (etwa { $rating } auf der Skala der Engine, auf der volle Stärke { $best } ist), { $double } mit doppelt und { $quadruple } mit viermal so vielen Knoten. Gleiche Engines wiederholen sich, gleiche Partien zählen darum einmal; { $repeated } fielen weg. Keine Partie wird abgeschätzt; Remis, die ein Spieler beanspruchen könnte, werden beansprucht.
method-intervals = <b>Intervalle.</b> In 95 von 100 solchen Berichten enthalten sie den wahren Wert. Anteile: Wilson. Ergebnisse: Normalverteilung. Mediane: Ordnungsstatistik. Die übrigen: ganze Partien neu gezogen. Ein Wort wie „ausgeglichen“ steht nur da, wenn das ganze Intervall es verdient.
method-expected = <b>Gewinnerwartung.</b> Eine logistische Funktion der Bewertung, an diese Partien angepasst: Ein Bauer mehr ist { $share }.
method-values = <b>Werte.</b> Logistische Regression der Ergebnisse auf die Figuren in { $positions } ruhigen Stellungen, jede Partie einmal gezählt, zu den abgeleiteten Werten hingezogen.
method-limits = <b>Grenzen.</b> Es sind Partien einer einzigen Engine mit wenig Zeit. Stärkere Spieler machen aus demselben Vorteil mehr und spielen öfter remis; Menschen werden müde, kennen Theorie und mögen andere Stellungen. Eine Zahl dieser Seite vergleicht Spiele bei gleicher Spielstärke; sie ist kein Naturgesetz.

page-title = { $game }: Spielbalance
made-by = Erstellt von Lozenge { $program } mit <code>{ $command }</code>. Regeln { $rules }.

# Games of four
seat-red = Rot
seat-blue = Blau
seat-yellow = Gelb
seat-green = Grün
seat-first = Erste Plätze
seat-won = Gewonnen
seat-place = Platz im Mittel
seat-out = Zuerst ausgeschieden
seats-even = Kein Sitz ist besser oder schlechter als die anderen, soweit diese Partien es zeigen.
seats-uneven = Nicht so gut wie die anderen oder besser: { $seats }.
length-of-four = Züge aller Spieler zusammen, Median: { $length }. Enden: { $ends }.
