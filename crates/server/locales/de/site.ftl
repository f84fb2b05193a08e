# Die Texte der Seiten.
play = Spielen
rules = Regeln
watch = Live
learn = Lernen
analysis = Analyse
explorer = Eröffnungsexplorer
review = Partieanalyse
editor = Stellung aufbauen
lessons = Lektionen
lessons-card = Jedes Spiel in fünf Minuten: wie die Figuren ziehen und wie man gewinnt, am Brett.
puzzles-card = Finde die beste Fortsetzung in Stellungen aus Partien.
studies-card = Eröffnungen, Endspiele und Taktik, Zug für Zug und mit Kommentaren.
analysis-card = Jede Stellung jedes Spiels, mit der Engine und deinen eigenen Varianten.
explorer-card = Gespielte Züge aus einer Stellung und die Ergebnisse dieser Partien.
review-card = Deine Fehler in einer beendeten Partie und die besseren Züge. Beginne mit einer PGN oder einer eigenen Partie.
analysis-no-script = Das Analysebrett braucht JavaScript.
account = Konto
guest = Gast
guest-number = Gast { $number }
sign-in = Anmelden
register = Registrieren
about = Über Lozenge
api = API
tagline = Schach auf Rautenbrettern
lead = Bretter, die auf der Spitze stehen, Bretter mit einem Loch in der Mitte, ein Brett ganz ohne Rand. Sofort spielen, gegen die Engine oder mit Freunden.
no-script = Zum Spielen ist JavaScript nötig. Die Regeln aller Spiele kannst du auch ohne lesen.
sign-no-script = Zum Anmelden ist JavaScript nötig.
all-games = Die Spiele
five-games = Die fünf Spiele
family = Die Familie des Diamond Ring
examples = Weitere Spiele
play-this = Dieses Spiel spielen
for-inventors = Für Erfinder
pieces-lead = Jede Figur allein auf dem Brett, mit ihren Zügen. Klicke auf ein Feld, um sie dorthin zu stellen, oder benutze die Pfeiltasten und Enter.
readings = Wie wir unklare Stellen lesen
written-rules = Die vollständigen Regeln
source = Veröffentlicht in
start-position = Die Aufstellung
array = Aufstellung:
live-games = Laufende Partien
no-live-games = Gerade läuft keine Partie. Beginne eine Partie und andere können zuschauen.
player-since = Mitglied seit { $date }
games-played = { $count ->
    [one] { $count } Partie
   *[other] { $count } Partien
}
rated = gewertet
casual = ungewertet
days = { $count ->
    [one] { $count } Tag
   *[other] { $count } Tage
}
moves-played = { $count ->
    [one] { $count } Zug
   *[other] { $count } Züge
}
statistics = Nach Spiel und Bedenkzeit
stats-game = Spiel
stats-games = Partien
stats-won = Gewonnen
stats-drawn = Remis
stats-lost = Verloren
stats-white = Mit Weiß
stats-black = Mit Schwarz
stats-length = Züge pro Partie
stats-rating = Wertung
stats-hint = Mit Weiß und mit Schwarz: gewonnen / remis / verloren. Züge pro Partie: im Schnitt. Von vieren zählt ein erster Platz als gewonnen, ein geteilter als remis. Die Zahl nach ± ist die Unsicherheit der Wertung.
no-ratings = Noch keine gewerteten Partien.
no-games = Noch keine Partien.
name = Name
password = Passwort
name-hint = 2 bis 20 Buchstaben, Ziffern, _ oder -
password-hint = Mindestens 8 Zeichen
no-mail = Eine E-Mail-Adresse ist nicht nötig. Deine Partien als Gast behältst du.
forgotten = Passwort vergessen?
code = Code aus deiner App
code-hint = Sechs Ziffern oder einer deiner Ersatzcodes
recover = Passwort vergessen
recover-hint = Gib den Wiederherstellungscode ein, den du beim Registrieren bekommen hast, und ein neues Passwort. Du bekommst dann einen neuen Code.
recover-host = Ohne den Code können nur die Betreiber dieser Seite helfen.
recovery-code = Wiederherstellungscode
new-password = Neues Passwort
set-password = Neues Passwort setzen
reset = Neues Passwort
mail-reset = Per E-Mail
mail-reset-hint = Wenn dein Konto eine E-Mail-Adresse hat, schicken wir dorthin einen Link.
mail-send = Link schicken
email = E-Mail-Adresse
confirm-email = Adresse bestätigen
confirm-email-hint = Mit dieser Adresse kannst du dein Passwort zurücksetzen, wenn du es vergisst.
confirm = Bestätigen
letter-hello = Hallo { $name },
letter-confirm-subject = Bestätige deine Adresse für Lozenge
letter-confirm-first = öffne innerhalb einer Stunde diesen Link, um diese Adresse für dein Konto bei { $site } zu bestätigen:
letter-confirm-last = Wenn du das nicht angefordert hast, ignoriere diese E-Mail.
letter-reset-subject = Ein neues Passwort für Lozenge
letter-reset-first = öffne innerhalb von 30 Minuten diesen Link, um ein neues Passwort für { $site } zu wählen:
letter-reset-last = Wenn du das nicht angefordert hast, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.
have-account = Schon ein Konto?
need-account = Noch kein Konto?
back = Zurück zu den Spielen
win = { $count } gewonnen
draw = { $count } remis
loss = { $count } verloren
skip = Zum Inhalt
about-text = Lozenge ist freie Software: die genauen Regeln der Spiele, wie sie veröffentlicht wurden, eine Engine und diese Seite, in einem Programm, das jeder betreiben kann.
bullet = Bullet
blitz = Blitz
rapid = Schnellschach
classical = Klassisch
correspondence = Fernschach
unlimited = Unbegrenzt
about-exact = Genaue Regeln
about-exact-text = Du spielst jedes Spiel so, wie es veröffentlicht wurde. Wo die Veröffentlichung etwas offen lässt, erklärt die Seite des Spiels unter „Regeln“, wie wir es lesen. Remis, Ziele und tote Stellungen beurteilt der Server in jedem Spiel mit demselben Code.
about-engine = Eine Engine für jedes Spiel
about-engine-text = Die Engine hat kein Wissen über einzelne Spiele. Sie leitet die Werte von Figuren und Feldern aus dem Brett und den Zügen ab und verfeinert sie in Partien gegen sich selbst. Jede Stufe gewinnt die meisten Partien gegen die Stufe darunter.
about-yours = Dein eigenes Spiel
about-yours-text = Ein Spiel ist eine Textdatei. Das Programm meldet Fehler mit Zeile und Spalte, zeichnet die Regeln und spielt das Spiel sofort.
about-programs = Für Programme
about-programs-text = Die Engine spricht UCI und XBoard. Bots spielen hier mit einem API-Token; die API ist vollständig dokumentiert.
about-data = Was diese Seite speichert
about-data-text = Deine Partien und ein Cookie, das dich mit ihnen verbindet. Eine E-Mail-Adresse nur, wenn du eine angibst. Deine Netzadresse für 14 Tage. Keine Werbung, keine Skripte von Dritten. Du kannst dein Konto herunterladen und löschen.
about-version = Version { $version }. Freie Software unter der MIT- oder der Apache-Lizenz.
about-fonts = Schriften: Hanken Grotesk, Brygada 1918 und Atkinson Hyperlegible Mono unter der
about-fonts-license = SIL Open Font License
fault-not-found = Seite nicht gefunden
fault-not-found-text = Unter dieser Adresse gibt es keine Seite, keine Partie und keinen Spieler. Vielleicht ist sie vertippt, privat oder gelöscht.
fault-forbidden = Zugriff verweigert
fault-forbidden-text = Das gehört einem anderen Spieler.
fault-own-game = Während deiner Partie gesperrt
fault-own-game-text = Engine und Analyse deiner Partie sind für dich gesperrt, bis sie zu Ende ist; gegen einen Menschen mit Uhr auch der Explorer.
fault-invalid = Ungültige Angabe
fault-unavailable = Gleich noch einmal versuchen
fault-unavailable-text = Die Datenbank hat nicht geantwortet. Der Fehler wurde protokolliert. Bitte versuche es noch einmal.
fault-internal = Serverfehler
fault-internal-text = Auf dem Server ist etwas schiefgegangen. Der Fehler wurde protokolliert. Bitte versuche es noch einmal.
fault-sign-in = Melde dich zuerst an
fault-sign-in-text = Du musst angemeldet sein, um diese Seite zu sehen.
game-no-script = Zum Spielen und Zuschauen ist JavaScript nötig. Das ist die aktuelle Stellung; lade die Seite neu, um sie zu aktualisieren.
game-waiting = Warten auf einen Gegner
game-after = die Stellung nach { $move }
no-moves = Noch keine Züge
moves = Züge
white = Weiß
black = Schwarz
red = Rot
blue = Blau
yellow = Gelb
green = Grün
open-place = Freier Platz
engine-level = Lozenge, Stufe { $level }
white-to-move = Weiß am Zug
black-to-move = Schwarz am Zug
red-to-move = Rot am Zug
blue-to-move = Blau am Zug
yellow-to-move = Gelb am Zug
green-to-move = Grün am Zug
result-white = Weiß gewinnt
result-black = Schwarz gewinnt
result-red-and-yellow = Rot und Gelb gewinnen
result-blue-and-green = Blau und Grün gewinnen
result-places = Plätze von Rot, Blau, Gelb und Grün: { $places }
result-draw = Remis
result-none = Partie abgebrochen
reason-checkmate = durch Matt
reason-decided = als Letzte in der Partie
reason-goal = durch Erreichen des Ziels
reason-stalemate = durch Patt
reason-dead = , weil keine Seite mehr gewinnen kann
reason-repetition = durch Wiederholung
reason-move-count = nach zu vielen Zügen ohne Fortschritt
reason-resign = durch Aufgabe
reason-time = durch Zeitüberschreitung
reason-time-draw = durch Zeitüberschreitung, weil der Gegner nicht gewinnen konnte
reason-agreement = durch Einigung
reason-abandoned = , weil der Gegner gegangen ist
reason-aborted = vor ihrem Beginn
players = Spieler
players-search = Spieler suchen
players-none = Kein Spielername beginnt mit „{ $name }“.
player = Spieler
place = Platz
show = Zeigen
bots = Bots
bot = Bot
no-leaders = Noch keine Wertungen. Spiele eine gewertete Partie, um hier zu erscheinen.
all-leaderboards = Alle Bestenlisten
leaders-hint = Spieler mit einer gewerteten Partie in den letzten 60 Tagen. Wertungen mit ? stammen aus wenigen Partien und stehen hinter den anderen. Die Zahl nach ± ist die Unsicherheit.
sign-in-to-challenge = Anmelden und herausfordern
games-of-player = Partien
filter = Filtern
games-any = Alle
games-clock = Bedenkzeit
games-result = Ergebnis
games-won = Gewonnen
games-drawn = Remis
games-lost = Verloren
games-color = Farbe
games-white = Weiß
games-black = Schwarz
games-rating = Wertung
games-rated = Gewertet
games-casual = Ungewertet
games-opponent = Gegner
games-from = Von
games-to = Bis
games-all = Alle Partien
no-such-games = Keine Partien passen zu diesem Filter.
older-games = Ältere Partien
export-games = PGN herunterladen
push-turn = Du bist am Zug
push-turn-text = { $game } gegen { $name }
push-challenge = { $name } fordert dich heraus
# Die Galerie und das Studio.
studio = Studio
studio-no-script = Um ein Spiel zu entwerfen, ist JavaScript nötig. Du kannst auch eine Datei schreiben und mit `lozenge variants check` prüfen.
gallery = Spiele von Spielern
gallery-short = Varianten
gallery-lead = Schachvarianten, die Spieler dieser Seite entworfen haben. Spiele eine, oder baue deine eigene darauf auf.
make-a-game = Spiel entwerfen
analyze-this = Analysebrett
balance-report = Spielbalance
build-on-this = Darauf aufbauen
copy-the-file = Datei kopieren
search = Suche
with = Mit
anything = Beliebig
sort-by = Sortierung
sort-new = Neueste
sort-played = Meistgespielt
sort-liked = Beliebteste
listed-after = { $days ->
    [0] { $games ->
        [0] Öffentliche Spiele werden sofort aufgelistet.
        [one] Ein öffentliches Spiel wird aufgelistet, sobald { $games } Partie beendet ist.
       *[other] Ein öffentliches Spiel wird aufgelistet, sobald { $games } Partien beendet sind.
    }
   *[other] { $games ->
        [0] Öffentliche Spiele werden aufgelistet, sobald dein Konto { $days } { $days ->
            [one] Tag
           *[other] Tage
        } alt ist.
       *[other] Ein öffentliches Spiel wird aufgelistet, sobald dein Konto { $days } { $days ->
            [one] Tag
           *[other] Tage
        } alt ist und { $games } { $games ->
            [one] Partie beendet ist
           *[other] Partien beendet sind
        }.
    }
}
tag-pieces = Figuren
tag-diamond = Rautenansicht
tag-holes = Löcher
tag-torus = Torus
tag-cylinder = Zylinder
tag-goal = Zielfelder
tag-fusion = Verschmelzung
tag-three-players = Zu dritt
tag-four-players = Zu viert
tag-teams = Mannschaften
no-games-found = Keine Spiele gefunden. Öffentliche Spiele erscheinen hier nach ihren ersten Partien.
more-games = Weitere Spiele
its-games = Partien
made-by = von { $name }
likes = { $count ->
    [one] { $count } „Gefällt mir“
   *[other] { $count } „Gefällt mir“
}
only-yours = Nur du siehst dieses Spiel.
only-by-link = Dieses Spiel wird nicht aufgelistet. Spielen können es alle, die den Link haben.
studies = Studien
studies-lead = Eröffnungen, Endspiele und Taktik, Zug für Zug und mit Kommentaren. Lege eine eigene Studie an und bearbeite sie mit anderen.
studies-all = Alle
studies-mine = Meine
studies-liked = „Gefällt mir“
studies-more = Weitere Studien
no-studies = Keine Studien gefunden.
study-new = Neue Studie
study-no-script = Für Studien ist JavaScript nötig.
study-of-site = von Lozenge
study-unlisted = nicht gelistet
study-private = privat
study-chapters = { $count ->
    [one] { $count } Kapitel
   *[other] { $count } Kapitel
}
studies-of = Studien von { $name }
study-first = Eröffnungen und Endspiele
puzzle = Aufgabe
puzzle-task = Finde die besten Züge.
puzzles = Aufgaben
puzzles-lead = Eine Seite hat gerade einen Fehler gemacht. Finde die beste Fortsetzung bis zum Ende.
no-puzzles = Auf dieser Seite gibt es noch keine Aufgaben.
puzzle-no-script = Zum Lösen wird JavaScript gebraucht.
daily-puzzle = Aufgabe des Tages
puzzle-games = Spiele mit Aufgaben
puzzle-solve = Aufgaben lösen
puzzle-streak = Aufgabenserie
puzzle-streak-hint = In einer Serie werden die Aufgaben immer schwerer, bis zum ersten Fehler. Wertungen ändern sich nicht.
puzzle-themes = Themen
puzzle-ratings = Deine Aufgabenwertungen
puzzle-history = Deine letzten Aufgaben
puzzle-solved = Gelöst
puzzle-failed = Nicht gelöst
puzzle-guest = Melde dich an, um eine Wertung für Aufgaben zu bekommen.
puzzles-rated = Aufgaben
theme-mate = Matt
theme-mate-in-1 = Matt in 1
theme-mate-in-2 = Matt in 2
theme-mate-in-3 = Matt in 3
theme-mate-in-4 = Matt in 4
theme-mate-in-5 = Matt in 5
theme-goal = Ziel
theme-goal-hint = Eine Figur gewinnt, indem sie ein Zielfeld erreicht.
theme-race = Wettlauf
theme-race-hint = Beide Seiten haben höchstens drei Züge bis zu einem Ziel.
theme-fork = Gabel
theme-fork-hint = Eine Figur greift zwei andere zugleich an.
theme-pin = Fesselung
theme-pin-hint = Eine Figur darf nicht ziehen, weil ihr König im Schach stünde.
theme-exchange = Abtausch
theme-promotion = Umwandlung
theme-defense = Verteidigung
theme-equality = Ausgleich
theme-equality-hint = Eine fast verlorene Stellung halten.
theme-defense-hint = Ein ruhiger Zug wehrt eine Drohung ab.
theme-quiet = Ruhiger Zug
theme-quiet-hint = Ein Zug ohne Schlagen, Umwandlung und Schach.
theme-endgame = Endspiel
theme-endgame-hint = Höchstens vier Figuren: Eine Endspieltabelle entscheidet, was richtig ist.
theme-around-the-torus = Um den Torus
theme-around-the-torus-hint = Ein Zug über eine verbundene Kante des Brettes.
learn-title = Ein Spiel lernen
learn-lead = Kurze Aufgaben am Brett: wie die Figuren ziehen und schlagen, was in dem Spiel neu ist und wie man gewinnt. Jede dauert einige Sekunden, und du kannst jederzeit aufhören.
learn-game = { $name } lernen
learn-solved = Gelöste Aufgaben
learn-stars = Sterne
learn-size = { $levels } Aufgaben · { $minutes } Minuten
learn-five = Lernen (5 Minuten)
learn-rules = Alle Regeln
learn-no-script = Die Lektionen brauchen JavaScript. Die Regeln lassen sich ohne lesen.
learn-wins = Was gewinnt
learn-new = Neu für Schachspieler
learn-takes = Eine Partie dauert
learn-length = Etwa { $moves } Züge: Die Hälfte der Partien der Engine gegen sich selbst ist kürzer.
learn-more = Weiter üben
endings-of = Gewinn das: Endspiele von { $name }
endings-lead = Zufällige Stellungen, die Weiß gewinnen kann. Die Verteidigung spielt die Züge, die am längsten durchhalten. Vergibt ein Zug den Gewinn, siehst du es sofort und kannst ihn zurücknehmen.
endings-link = Endspiele gewinnen
endings-hint = Gewonnene Stellungen gegen die beste Verteidigung, mit deiner Bestleistung.
endings-no-script = Die Endspiele brauchen JavaScript.
puzzles-hint = Finde den besten Zug in Stellungen aus Partien.
puzzle-storm = Sturm
puzzle-storm-hint = Ein Sturm: so viele Aufgaben wie möglich in drei Minuten.
coordinates-of = Koordinaten von { $name }
coordinates-lead = Wie viele Felder findest oder benennst du in 30 Sekunden?
coordinates-link = Koordinaten
coordinates-hint = Finde und benenne die Felder dieses Bretts, 30 Sekunden je Runde.
coordinates-no-script = Die Koordinaten brauchen JavaScript.
