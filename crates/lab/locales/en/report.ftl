# The balance report: names of the numbers, sentences that say what they mean, and the page around them.
balance-report = Balance report
lead = A game{ $by } on { $squares } squares. { $games } games of the engine against itself, { $nodes } nodes a move, no two alike.
by-author = by { $author }
by-author-year = by { $author }, { $year }
start-of = The start of { $game }
table = Table

name-white-score = White's score
name-white-score-weak = White's score, weaker players
name-draws = Draws
name-draws-weak = Draws, weaker players
name-ending-checkmate = Checkmate
name-ending-goal = Goal
name-ending-stalemate = Stalemate
name-ending-repetition = Repetition
name-ending-move-count = Move count
name-ending-dead-position = Dead position
name-ending-too-long = Too long
name-length = Length
name-length-mean = Mean length
name-legal-moves = Legal moves
name-tree-size = Size of the game tree
name-lead-changes = Lead changes
name-decided-at = Decided at
name-drama = Drama
name-board-use = Board used
name-sharpness = Sharpness
name-doubling = Twice the thinking
name-depth = Four times the thinking

who = with { $nodes } nodes a move
who-weak = at level { $level }
better-white = White is better off by { $elo } Elo
better-black = Black is better off by { $elo } Elo
means-nothing = No game counts for it.
means-white-score = Of 100 points between equal players { $who }, White makes { $points }: { $better }.
means-draws = { $share } of the games between equal players { $who } are drawn.
means-ending-checkmate = { $share } of the games end by checkmate.
means-ending-goal = { $share } of the games end by reaching a goal.
means-ending-stalemate = { $share } of the games end because a side cannot move.
means-ending-repetition = { $share } of the games are drawn because a position comes again and again.
means-ending-move-count = { $share } of the games are drawn because nothing was captured for too long.
means-ending-dead-position = { $share } of the games are drawn because nobody can win any more.
means-ending-too-long = { $share } of the games were broken off as drawn after 2,000 plies.
means-length = Half of the games have at most { $moves } moves by each side.
means-length-mean = On average a game has { $moves } moves by each side.
means-legal-moves = In a position there are { $count } moves to choose from, on average.
means-tree-size = All ways to play a game as long as these are about 10 to the power of { $count }; orthodox chess is put at 123.
means-lead-changes = The lead changes hands { $count } times a game, as the engine sees it.
means-decided-at = Won games are decided after { $share } of their moves: from there on the winner stays well ahead.
means-drama = On average the winner's expected score is { $points } points in a hundred below one half: 0 if winners never stand worse.
means-board-use = In a game some piece arrives on { $share } of the squares.
means-sharpness = In { $share } of the positions one move is better than all others by a tenth of a point or more.
means-doubling = With twice the nodes the engine makes { $share } of the points: { $pays }.
means-depth = With four times the nodes the engine makes { $share } of the points: { $pays }.
pays = thinking longer pays
pays-not = thinking longer hardly pays, at this strength

word-level = level
word-as-chess = as in chess
word-marked = marked
word-unfair = unfair
word-sharp = sharp
word-balanced = balanced
word-drawish = drawish

in-elo = { $number } Elo
in-moves = { $number } moves
at-least = at least { $number }
at-most = at most { $number }
between = { $low } to { $high }

games-played = { $games } games, { $nodes } nodes a move

column-number = Number
column-value = Value
column-interval = 95% interval
column-meaning = Meaning

results = Results
full-strength = Full strength, { $nodes } nodes a move
weaker = Level { $level }, rated about { $rating }
white = White
draws = draws
black = Black

course = Course of the game
caption-lengths = Lengths of the games.
caption-lead = The leader's expected score as the game goes on. In a game that stays open the curve rises late.
caption-legal = Moves to choose from: the mean, and the range of the middle half of the games.
axis-moves = moves by each side
axis-games = games
axis-legal = legal moves
axis-part = part of the game played
axis-lead = leader's expected score
axis-pawns = pawns

pieces = Pieces
pieces-lead = Moves and captures of the pieces in a game, both sides together, and their values in pawns.
pieces-explained = <b>Moves</b>, <b>Captures</b> and <b>Promoted to</b> are how often that happens in a game, on average. <b>Captured</b> is the share of all pieces of the kind, those from promotion too, that the opponent captures.
pieces-intervals = Below a number stands its 95% interval.
column-piece = Piece
column-at-start = At the start
column-moves = Moves
column-captures = Captures
column-captured = Captured
column-promoted = Promoted to
column-derived = Derived
column-engine = Engine
column-fitted = Fitted
few-positions = Too few games had unequal pieces in quiet positions to fit values to them.
key-derived = derived from the moves
key-fitted = fitted to the results, with its 95% interval
values-explained = <b>Derived</b> values follow from how many squares a piece reaches, before any game is played. <b>Fitted</b> values are those with which material predicts the results best, on a scale on which an army is worth the same. The engine trades pieces by its own values, which pulls the fitted ones towards them; intervals that overlap say that two values may be equal.

first-moves = First moves
first-moves-lead = The engine's expected score after each first move, and the results of the games that began with it. The first moves were drawn by lot, so their frequency means nothing. Scores are shrunk towards the mean of all games, the fewer games the more.
first-moves-pale = Moves with fewer than 30 games are printed pale.
more-moves = More moves: { $count }
column-move = Move
column-expects = Engine expects
column-games = Games
column-score = White's score

board = The board
board-lead = The darker a square, the more happens there.
map-traffic = Traffic
map-mobility = Mobility
map-endings = Endings
caption-traffic = Arrivals of pieces.
caption-mobility = Legal moves of pieces.
caption-endings = Ends of won games: the square of the mated King, or the goal that was reached.
arrivals = { $number } arrivals a game
moves-there = { $number } legal moves a position
ended-there = { $share } of the won games

thinking = Does thinking help?
thinking-lead = The engine against itself with more nodes, each opening twice with colors changed. In a deep game more thinking keeps winning; in a shallow one both sides soon see all there is.

beside = Beside other games
column-game = Game
column-white = White
column-draws = Draws
column-length = Length
column-changes = Lead changes
column-decided = Decided at
column-sharp = Sharp
column-depth = 4× nodes
games-and-nodes = { $games } games, { $nodes } nodes

method = Method and limits
method-openings = <b>Openings.</b> { $random } random plies, then { $chosen } drawn by lot among the engine's moves, the better the likelier. An opening counts if it changes the score of the start by less than a pawn, so that an advantage of the start stays in the games.
method-starts = The { $count } starting positions take turns.
method-games = <b>Games.</b> { $full } at { $nodes } nodes a move, { $weak } at level { $level } (about { $rating } on the engine's own scale, where full strength is { $best }), { $double } with twice and { $quadruple } with four times the nodes. Equal engines repeat themselves, so games alike count once; { $repeated } were left out. No game is adjudicated; draws that a player could claim are claimed.
method-intervals = <b>Intervals.</b> They contain the true value in 95 of 100 such reports. Shares: Wilson. Scores: normal. Medians: order statistics. The others: whole games drawn anew. A word such as “level” is printed only if the whole interval deserves it.
method-expected = <b>Expected score.</b> A logistic function of the engine's score, fitted to these games: a pawn ahead is { $share }.
method-values = <b>Values.</b> Logistic regression of the results on the pieces in { $positions } quiet positions, each game counted once, drawn towards the derived values.
method-limits = <b>Limits.</b> These are games of one engine with little time. Stronger players score more with the same advantage and draw more; people tire, know theory and like other positions. A number of this page compares games at equal strength; it is no law of nature.

page-title = { $game }: balance report
made-by = Made by Lozenge { $program } with <code>{ $command }</code>. Rules { $rules }.

# Games of four
seat-red = Red
seat-blue = Blue
seat-yellow = Yellow
seat-green = Green
seat-first = First places
seat-won = Games won
seat-place = Mean place
seat-out = Out first
seats-even = No seat is better or worse than the others, as far as these games show.
seats-uneven = Not as good as the others, or better: { $seats }.
length-of-four = Moves of all players together, median: { $length }. Ends: { $ends }.
