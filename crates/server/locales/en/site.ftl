# The texts of the pages.
play = Play
rules = Rules
watch = Watch
learn = Learn
analysis = Analysis
explorer = Opening explorer
review = Game review
editor = Board editor
lessons = Lessons
lessons-card = Any game in five minutes: how its pieces move and how to win, on the board.
puzzles-card = Find the best continuation in positions from games.
studies-card = Openings, endings and tactics, move by move, with comments.
analysis-card = Any position of any game, with the engine and your own lines.
explorer-card = Moves played from a position, and the results of those games.
review-card = Your mistakes in a finished game, and the better moves. Begin with a PGN, or with a game of yours.
analysis-no-script = The analysis board needs JavaScript.
account = Account
guest = Guest
guest-number = Guest { $number }
sign-in = Sign in
register = Register
about = About
api = API
tagline = Chess on diamond boards
lead = Boards that stand on a corner, boards with a hole in the middle, a board without any edge at all. Play at once, against the engine or a friend.
no-script = JavaScript is required to play. You can read the rules of all games without it.
sign-no-script = JavaScript is required to sign in.
all-games = The games
five-games = The five games
family = The Diamond Ring family
examples = More games
play-this = Play this game
for-inventors = For inventors
pieces-lead = Each piece alone on the board, with its moves. Click a square to place the piece there, or use the arrow keys and Enter.
readings = How we read unclear passages
written-rules = The full rules
source = Published in
start-position = The start
array = Array:
live-games = Live games
no-live-games = No live games right now. Start a game and others can watch it.
player-since = member since { $date }
games-played = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
rated = rated
casual = casual
days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
moves-played = { $count ->
    [one] { $count } move
   *[other] { $count } moves
}
statistics = By game and time control
stats-game = Game
stats-games = Games
stats-won = Won
stats-drawn = Drawn
stats-lost = Lost
stats-white = As White
stats-black = As Black
stats-length = Moves per game
stats-rating = Rating
stats-hint = As White and as Black: won / drawn / lost. Moves per game: the average. Among four, a first place counts as won, a shared one as drawn. The number after ± is the uncertainty of a rating.
no-ratings = No rated games yet.
no-games = No games yet.
name = Name
password = Password
name-hint = 2 to 20 letters, digits, _ or -
password-hint = At least 8 characters
no-mail = No e-mail address is needed. You keep the games you played as a guest.
forgotten = Forgot your password?
code = Code from your app
code-hint = Six digits, or one of your backup codes
recover = Forgot password
recover-hint = Enter the recovery code you got when you registered, and a new password. You will get a new code.
recover-host = Without the code, only the operators of this site can help.
recovery-code = Recovery code
new-password = New password
set-password = Set new password
reset = New password
mail-reset = By e-mail
mail-reset-hint = If your account has an e-mail address, we will send a link to it.
mail-send = Send link
email = E-mail address
confirm-email = Confirm your address
confirm-email-hint = With this address you can reset your password if you forget it.
confirm = Confirm
letter-hello = Hello { $name },
letter-confirm-subject = Confirm your address for Lozenge
letter-confirm-first = open this link within an hour to confirm this address for your account at { $site }:
letter-confirm-last = If you did not ask for this, ignore this e-mail.
letter-reset-subject = A new password for Lozenge
letter-reset-first = open this link within 30 minutes to choose a new password for { $site }:
letter-reset-last = If you did not ask for this, ignore this e-mail. Your password stays the same.
have-account = Already have an account?
need-account = No account yet?
back = Back to the games
win = { $count } won
draw = { $count } drawn
loss = { $count } lost
skip = Skip to the content
about-text = Lozenge is free software: the exact rules of the games as published, an engine, and this site, in one program that anyone can run.
bullet = Bullet
blitz = Blitz
rapid = Rapid
classical = Classical
correspondence = Correspondence
unlimited = Unlimited
about-exact = Exact rules
about-exact-text = You play every game as its inventor published it. Where the publication leaves something open, the game’s page under “Rules” explains our reading. The server applies the rules for draws, goals and dead positions with the same code in every game.
about-engine = An engine for every game
about-engine-text = The engine has no knowledge of particular games. It derives the values of pieces and squares from the board and the moves, tuned by games against itself. Each level wins most of its games against the level below it.
about-yours = Your own game
about-yours-text = A game is a text file. The program reports errors with line and column, draws the rules, and plays the game at once.
about-programs = For programs
about-programs-text = The engine speaks UCI and XBoard. Bots play here with an API token; the API is fully documented.
about-data = What this site stores
about-data-text = Your games, and a cookie that links you to them. An e-mail address only if you enter one. Your network address for 14 days. No advertising, no third-party scripts. You can download and delete your account.
about-version = Version { $version }. Free software under the MIT or Apache license.
about-fonts = Fonts: Hanken Grotesk, Brygada 1918 and Atkinson Hyperlegible Mono, under the
about-fonts-license = SIL Open Font License
fault-not-found = Page not found
fault-not-found-text = There is no page, game or player at this address. It may be mistyped, private or deleted.
fault-forbidden = Access denied
fault-forbidden-text = This belongs to another player.
fault-own-game = Closed while you play
fault-own-game-text = Engine and analysis of your game are closed to you until the game is over; against a person with a clock the explorer, too.
fault-invalid = Invalid request
fault-unavailable = Try again in a moment
fault-unavailable-text = The database did not respond. The error was logged. Please try again.
fault-internal = Server error
fault-internal-text = Something went wrong on the server. The error was logged. Please try again.
fault-sign-in = Sign in first
fault-sign-in-text = You must be signed in to see this page.
game-no-script = JavaScript is required to play or follow a game. This is the current position; reload the page to update it.
game-waiting = Waiting for an opponent
game-after = the position after { $move }
no-moves = No moves yet
moves = Moves
white = White
black = Black
red = Red
blue = Blue
yellow = Yellow
green = Green
open-place = Open place
engine-level = Lozenge, level { $level }
white-to-move = White to move
black-to-move = Black to move
red-to-move = Red to move
blue-to-move = Blue to move
yellow-to-move = Yellow to move
green-to-move = Green to move
result-white = White wins
result-black = Black wins
result-red-and-yellow = Red and Yellow win
result-blue-and-green = Blue and Green win
result-places = Places of Red, Blue, Yellow and Green: { $places }
result-draw = Draw
result-none = Game aborted
reason-checkmate = by checkmate
reason-decided = as the last in the game
reason-goal = by reaching the goal
reason-stalemate = by stalemate
reason-dead = because neither side can win
reason-repetition = by repetition
reason-move-count = after too many moves without progress
reason-resign = by resignation
reason-time = on time
reason-time-draw = on time, because the opponent could not have won
reason-agreement = by agreement
reason-abandoned = because the opponent left
reason-aborted = before it had begun
players = Players
players-search = Find a player
players-none = No player's name begins with “{ $name }”.
player = Player
place = Place
show = Show
bots = Bots
bot = Bot
no-leaders = No ratings yet. Play a rated game to appear here.
all-leaderboards = All leaderboards
leaders-hint = Players with a rated game within 60 days. Ratings with a ? are from few games and come after the others. The number after ± is the uncertainty.
sign-in-to-challenge = Sign in to challenge
games-of-player = Games
filter = Filter
games-any = Any
games-clock = Time control
games-result = Result
games-won = Won
games-drawn = Drawn
games-lost = Lost
games-color = Color
games-white = White
games-black = Black
games-rating = Rating
games-rated = Rated
games-casual = Casual
games-opponent = Opponent
games-from = From
games-to = To
games-all = All games
no-such-games = No games match this filter.
older-games = Older games
export-games = Download PGN
push-turn = Your turn
push-turn-text = { $game } against { $name }
push-challenge = { $name } challenges you
# The gallery and the studio.
studio = Studio
studio-no-script = JavaScript is required to make a game. You can also write a file and check it with `lozenge variants check`.
gallery = Games by players
gallery-short = Variants
gallery-lead = Chess variants that players of this site have made. Play one, or build your own on it.
make-a-game = Make a game
analyze-this = Analysis board
balance-report = Balance report
build-on-this = Build on this game
copy-the-file = Copy the file
search = Search
with = With
anything = Anything
sort-by = Sort by
sort-new = Newest
sort-played = Most played
sort-liked = Most liked
listed-after = { $days ->
    [0] { $games ->
        [0] Public games are listed at once.
        [one] A public game is listed once { $games } game of it has been finished.
       *[other] A public game is listed once { $games } games of it have been finished.
    }
   *[other] { $games ->
        [0] Public games are listed once your account is { $days } { $days ->
            [one] day
           *[other] days
        } old.
       *[other] A public game is listed once your account is { $days } { $days ->
            [one] day
           *[other] days
        } old and { $games } { $games ->
            [one] game of it has
           *[other] games of it have
        } been finished.
    }
}
tag-pieces = Pieces
tag-diamond = Diamond view
tag-holes = Holes
tag-torus = Torus
tag-cylinder = Cylinder
tag-goal = Goal squares
tag-fusion = Fusion
tag-three-players = Three players
tag-four-players = Four players
tag-teams = Teams
no-games-found = No games found. Public games appear here after their first games.
more-games = More games
its-games = Its games
made-by = by { $name }
likes = { $count ->
    [one] { $count } like
   *[other] { $count } likes
}
only-yours = Only you can see this game.
only-by-link = This game is not listed. Anyone with the link can play it.
studies = Studies
studies-lead = Openings, endings and tactics, move by move, with comments. Make a study of your own and edit it together with others.
studies-all = All
studies-mine = Mine
studies-liked = Liked
studies-more = More studies
no-studies = No studies found.
study-new = New study
study-no-script = Studies need JavaScript.
study-of-site = by Lozenge
study-unlisted = unlisted
study-private = private
study-chapters = { $count ->
    [one] { $count } chapter
   *[other] { $count } chapters
}
studies-of = Studies by { $name }
study-first = Openings and endings
puzzle = Puzzle
puzzle-task = Find the best moves.
puzzles = Puzzles
puzzles-lead = One side has just gone wrong. Find the best continuation, to the end.
no-puzzles = There are no puzzles on this site yet.
puzzle-no-script = JavaScript is required to solve it.
daily-puzzle = Puzzle of the day
puzzle-games = Games with puzzles
puzzle-solve = Solve puzzles
puzzle-streak = Puzzle streak
puzzle-streak-hint = In a streak the puzzles get harder and harder, until the first mistake. Ratings do not change.
puzzle-themes = Themes
puzzle-ratings = Your puzzle ratings
puzzle-history = Your latest puzzles
puzzle-solved = Solved
puzzle-failed = Failed
puzzle-guest = Sign in to get a puzzle rating.
puzzles-rated = Puzzles
theme-mate = Mate
theme-mate-in-1 = Mate in 1
theme-mate-in-2 = Mate in 2
theme-mate-in-3 = Mate in 3
theme-mate-in-4 = Mate in 4
theme-mate-in-5 = Mate in 5
theme-goal = Goal
theme-goal-hint = A piece wins by arriving on a goal.
theme-race = Race
theme-race-hint = Both sides are within three moves of a goal.
theme-fork = Fork
theme-fork-hint = A piece attacks two at once.
theme-pin = Pin
theme-pin-hint = A piece must not move, because its King would be in check.
theme-exchange = Exchange
theme-promotion = Promotion
theme-defense = Defense
theme-equality = Equality
theme-equality-hint = Hold a position that was all but lost.
theme-defense-hint = A quiet move answers a threat.
theme-quiet = Quiet move
theme-quiet-hint = A move that neither captures nor promotes nor gives check.
theme-endgame = Endgame
theme-endgame-hint = At most four pieces: an endgame table decides what is right.
theme-around-the-torus = Around the torus
theme-around-the-torus-hint = A move across a joined edge of the board.
learn-title = Learn a game
learn-lead = Short levels on the board: how the pieces move and capture, what is new in the game, and how to win. A level takes some seconds, and you can stop whenever you like.
learn-game = Learn { $name }
learn-solved = Levels solved
learn-stars = Stars
learn-size = { $levels } levels · { $minutes } minutes
learn-five = Learn (5 minutes)
learn-rules = The full rules
learn-no-script = The lessons need JavaScript. The rules can be read without it.
learn-wins = What wins
learn-new = New for a chess player
learn-takes = A game takes
learn-length = About { $moves } moves: half of the engine’s games against itself are shorter.
learn-more = Go on practicing
endings-of = Win this: endings of { $name }
endings-lead = Random positions that White can win. The defense plays the moves that hold out longest. If a move throws the win away, you see it at once and can take it back.
endings-link = Win endings
endings-hint = Won positions against the best defense, with par and your best.
endings-no-script = The endings need JavaScript.
puzzles-hint = Find the best move in positions from games.
puzzle-storm = Storm
puzzle-storm-hint = A storm: as many puzzles as you can in three minutes.
coordinates-of = Coordinates of { $name }
coordinates-lead = How many squares do you find or name in 30 seconds?
coordinates-link = Coordinates
coordinates-hint = Find and name the squares of this board, 30 seconds a round.
coordinates-no-script = The coordinates need JavaScript.
