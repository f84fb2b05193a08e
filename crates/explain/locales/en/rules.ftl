# The rules of games in sentences. A message has the same name in every language, and may leave out arguments that it has no use for.

# Building blocks
list-and = { $first } and { $last }
list-or = { $first } or { $last }
number =
    { $number ->
        [0] no
        [1] one
        [2] two
        [3] three
        [4] four
        [5] five
        [6] six
        [7] seven
        [8] eight
        [9] nine
        [10] ten
        [11] eleven
        [12] twelve
       *[other] { $number }
    }
number-alone = { number }
times =
    { $number ->
        [1] once
        [2] twice
       *[other] { number } times
    }
ordinal =
    { $number ->
        [1] first
        [2] second
        [3] third
        [4] fourth
        [5] fifth
        [6] sixth
        [7] seventh
        [8] eighth
        [9] ninth
        [10] tenth
        [11] eleventh
        [12] twelfth
       *[other] { NUMBER($number, type: "ordinal") ->
            [one] { $number }st
            [two] { $number }nd
            [few] { $number }rd
           *[other] { $number }th
        }
    }
# $initial is the first letter of $name, as a small one.
one-of =
    { $initial ->
        [a] an { $name }
        [e] an { $name }
        [i] an { $name }
        [o] an { $name }
        [u] an { $name }
       *[other] a { $name }
    }
file = file { $name }
rank = rank { $name }
run = { $from } to { $to }
region =
    { $name ->
        [camp] camp
        [center] center
        [centre] center
       *[other] region "{ $name }"
    }
region-own = its own { region }
region-enemy = the opponent's { region }

# Headings
board = The board
pieces = The pieces
rules = The rules
readings = How unclear rules are read
programs = For programs

# Where the game comes from
invented = Invented by { $author }.
invented-in = Invented by { $author }, { $year }.
published-in = First published in { $year }.
source = Source: { $source }.

# The board
squares =
    { $squares ->
        [one] { $squares } square
       *[other] { $squares } squares
    }
files =
    { $files ->
        [one] { $files } file
       *[other] { $files } files
    }
ranks =
    { $ranks ->
        [one] { $ranks } rank
       *[other] { $ranks } ranks
    }
size = { squares } on { files } (a to { $last }) and { ranks }.
size-gaps = { squares } on { files } (a to { $last }) and { ranks }; where nothing is drawn there is no square.
holes =
    { $count ->
        [one] { $holes } is
       *[other] Each of { $holes } is
    } a hole inside the board: pieces that slide stop there as at the edge, pieces that leap pass over it.
joined-both = There is no edge: file { $file } is next to file a and rank { $rank } is next to rank 1 (a torus).
joined-files = The side edges are joined: file { $file } is next to file a (a cylinder).
joined-ranks = The near and far edges are joined: rank { $rank } is next to rank 1.
joined-none = No edges are joined.
forward-up = For White forward is up the board, toward rank { $end }.
forward-down = For White forward is down the board, toward rank 1.
forward-right = For White forward is to the right, toward file { $end }.
forward-left = For White forward is to the left, toward file a.
forward-corner = The game is played from corner to corner: for White straight forward is along the diagonals from { $from } toward { $to }, half left forward is { $left }, half right forward is { $right }, and sideways is along the diagonals that run from { $start } to { $end }.
along-up = up a file
along-down = down a file
along-right = to the right along a rank
along-left = to the left along a rank
black-turned = Black's side is White's turned by 180 degrees{ $example }.
black-ranks = Black's side mirrors White's: rank 1 becomes rank { $last }.
black-files = Black's side mirrors White's: file a becomes file { $last }.
black-diagonal = Black's side mirrors White's in the diagonal from { $from } to { $to }{ $example }.
black-example = , so that { $one } becomes { $other }
start = The starting position.
start-named = The starting position ({ $name }).
start-name = { $name }
capitals = Capitals are White's pieces, small letters Black's.
shuffled = There are { $count } starting positions, which a rule makes by shuffling these pieces; number { $number } is drawn. A new game starts from one of them at random unless you choose. In castling King and rook go to the same squares from all of them.
starts = There are { number } starting positions ({ $names }). The first is drawn; a new game starts from one of them at random unless you choose.
distances = The distance of each square from White's camp, which is marked 0; for Black the numbers are mirrored:

# The pieces
legend = Each piece is drawn as White's, alone on the board: { $marks }. Betza is the notation of the moves in the game's file.
mark-either = { $sign } moves or captures there
mark-quiet = { $sign } moves there without capturing
mark-capture = { $sign } only captures there
mark-first = { $sign } moves there as its first move
mark-over = { $sign } goes there across one piece on the way
mark-blocker = { $sign } is a piece in the way
mark-victim = { $sign } is a piece that it captures, if it is an enemy
immobile = Cannot move.
fused = { $one } and { $other } in one: moves and captures as both. Either part may leave the other behind.
longest = A move that turns has at most { number } steps in all and visits no square twice.
closed = It may neither enter nor cross { $area }; a leap is judged by where it ends.
notation = Betza: { $moves }
drawn-from = from { $square }
drawn-of-seat = { $seat ->
        [red] Red
        [blue] Blue
        [yellow] Yellow
       *[green] Green
    } from { $square }
drawn-among-pieces = with pieces in the way
drawn-elsewhere = On other squares it moves accordingly.

# A sentence on moves has one or more terms: verb, how far and where. Spaces around arguments that are empty are left out.
sentence-opening = { $terms }{ $gain }.
sentence = { $place } { $when } it { $also } { $terms }{ $gain }.
term-either = moves or captures { $ways }
term-move = moves without capturing { $ways }
term-capture = captures { $ways }
also = also
first-move = as its first move
place-from = from { $area }
place-edge = where there is no square { $where },
place-from-edge = from { $area }, where there is no square { $where },
place-there = {""}
edge-ahead = straight ahead
edge-behind = straight behind
edge-left = to the left
edge-right = to the right
edge-ahead-left = ahead to the left
edge-ahead-right = ahead to the right
edge-behind-left = behind to the left
edge-behind-right = behind to the right
gained-center = , but only with steps that take it farther from the center of its own camp
gained-farther = , but only to a square farther from its own camp
gained-farthest = , but only to the one of these squares that is farthest from its own camp, and only if that takes it farther away
gained-level = , but only to a square just as far from its own camp

# Conditions beside the notation of the file
if-from = from { $area }
if-edge = where there is no square { $where }
if-farther = only farther from { $center }
if-farthest = only to the square farthest from { $center }, if that is farther
if-level = only to a square as far from { $center }
center-camp = its own camp
center-center = the center of its own camp

# How far and where
far =
    { $number ->
        [0] any number of
       *[other] up to { number }
    }
way-step = one square { $directions }
way-leap = exactly { number } squares { $directions }, { $over }
way-slide = { far } squares { $directions }{ $zigzag }{ $over }{ $round }
way-leaps = { far } leaps of { $squares } squares { $directions }{ $zigzag }, one after the other over empty squares{ $round }
way-oblique = { $oblique }{ $aim }, { $over }
way-obliques = by { far } leaps in one direction, each { $oblique }{ $aim }, while the squares they touch are empty
over-clear-one = if the square between is empty
over-clear = if the squares between are empty
over-piece = by jumping over a piece of either color, which must be there
over-anything = leaping over whatever is between
oblique-over-beside = if the square beside it on its way is empty
oblique-over-anything = over whatever is between
hop-one = , hopping over exactly one piece on the way and going on behind it
hop-behind = , hopping over the first piece in the way and ending right behind it
hop-first = , passing over whatever stands on the first of them
zigzag = {" "}in a zigzag, turning by a right angle at every step, left and right by turns
round = , also across the joined edges but never back to its own square
sides = { $long } squares along a file or rank and { $short } to the side
oblique-knight = like the knight of chess ({ sides })
oblique-camel = by a long knight's leap ({ sides })
oblique-other = by a leap of { sides }
each-knight = { oblique-knight }
each-camel = { oblique-camel }
each-other = { oblique-other }
aim-forward = , only forward
aim-backward = , only backward
aim-far-forward = , only its two farthest ways forward
aim-far-backward = , only its two farthest ways backward
aim-only = , for White only by { $steps } in files and ranks

# Directions; those with "half" where forward is along a diagonal
to-any = in any direction
to-lines = along files and ranks
to-diagonals = diagonally
to-forward-or-backward = straight forward or backward
to-sideways = sideways
to-forward-left-or-right = diagonally forward
half-forward-left-or-right = half left or half right forward
to-backward-left-or-right = diagonally backward
half-backward-left-or-right = half left or half right backward
to-forward = straight forward
to-backward = straight backward
to-left = to the left
half-left = sideways to the left
to-right = to the right
half-right = sideways to the right
to-forward-left = diagonally forward to the left
half-forward-left = half left forward
to-forward-right = diagonally forward to the right
half-forward-right = half right forward
to-backward-left = diagonally backward to the left
half-backward-left = half left backward
to-backward-right = diagonally backward to the right
half-backward-right = half right backward

# Paths of several legs
then-may-end = , where it may end, then{" "}
then-goes-on = {" "}without ending there, then{" "}
leg-one = one square { $along }
leg-up-to = one to { number } squares { $along }
leg-any = one or more squares { $along }
leg-leap = { $squares } squares at once { $along }
leg-leaps-up-to = one to { number } leaps of { $squares } squares { $along }
leg-leaps-any = one or more leaps of { $squares } squares { $along }
along-line = along a file or rank
along-diagonal = diagonally
turn-straight = straight on
turn-outward = outward at 45 degrees
turn-right-angle = at a right angle
turn-inward = back at 135 degrees
turn-back = straight back
turn-to-left = { $turn } to the left
turn-to-right = { $turn } to the right

# The rules
aim = White moves first. A move may not leave the King of its own side attacked. A player in check with no legal move is checkmated and loses.
goal = A white { $pieces } that arrives on { $white } by a legal move wins at once, and so does a black { $pieces } on { $black }.
goal-white = A white { $pieces } that arrives on { $squares } by a legal move wins at once.
goal-black = A black { $pieces } that arrives on { $squares } by a legal move wins at once.
promotion-white = A white { $pieces } that arrives on { $squares } must be promoted to { $to }.
promotion-black = A black { $pieces } that arrives on { $squares } must be promoted to { $to }.
promotion = A white { $pieces } that arrives on { $white }, or a black one on { $black }, must be promoted to { $to }.
promotions =
    A white { $pieces } must be promoted when it arrives on certain squares; what it becomes depends on the square: { $zones }. For Black the same squares { $how ->
        [turned] turned by 180 degrees
       *[mirrored] mirrored
    } count.
promotion-zone = on { $squares } { $to }
no-promotion = There is no promotion.
fusing = Fusing: a piece may move onto a piece of its own side, as if it captured it, and the two become one: { $pairs }. A compound does not fuse any further. The move is written as any other, from square to square (e4e6), in game records without the sign of a capture (Re6).
fusing-pair = { $one } and { $other } make { $into }
splitting = Splitting: one part of a compound may leave it, by its own move without capture to an empty square, and the other part stays. The letter of the part that leaves is written behind the move (e4e6r, in game records Qe6R). Neither fusing nor splitting is a capture, and neither restarts the count of moves.
en-passant = En passant: directly after { $pieces } has made its first move of two squares, { $pieces } of the other side that could capture on the square it crossed may do so, as if it had gone only one square.
no-castling = There is no castling.
castling-white = Castling, White: { $ways }.
castling-black = Castling, Black: { $ways }.
castling-short = short (O-O), { $how }
castling-long = long (O-O-O), { $how }
castling-trade = { $king } { $kingfrom } and { $rook } { $rookfrom } trade places
castling-way = { $king } { $kingfrom } to { $kingto } and { $rook } { $rookfrom } to { $rookto }
castling-terms = For castling { $history }; all squares between the two and on their ways must be empty; the { $king } { $attacks }.
history-unmoved = { $king } and rook must not have moved before
history-forgotten = history does not matter: it is enough that both stand on their squares
history-mixed = some castlings need a right that is lost when King or rook moves, see the starting position
attacks-free = may castle out of check and across attacked squares, but may not end in check
attacks-strict = may not castle out of check, across an attacked square or into check
attacks-ends = may not end in check
stalemate-draw = A player who is not in check but has no legal move is stalemated, and the game is drawn.
stalemate-loss = A player who is not in check but has no legal move is stalemated and loses.
stalemate-win = A player who is not in check but has no legal move is stalemated and wins.
repetition-none = Repetition of positions does not draw the game.
repetition-end = A position that occurs { $end } ends the game as a draw.
repetition-claim = A player may claim a draw when the position has occurred { $claim }.
repetition-both = A player may claim a draw when the position has occurred { $claim }; the { $end } occurrence ends the game as a draw.
moves-of-each =
    { $number ->
        [one] { $number } move by each side
       *[other] { $number } moves by each side
    }
such-moves-of-each =
    { $number ->
        [one] { $number } such move by each side
       *[other] { $number } such moves by each side
    }
idle =
    { $pawns ->
        [none] without a capture
       *[other] without a capture or a move of { $pawns }
    }
count-none = There is no limit to the number of moves.
count-end = { $end } { idle } end the game as a draw.
count-claim = After { $claim } { idle } a player may claim a draw.
count-both = After { $claim } { idle } a player may claim a draw; { $such } end the game as a draw.
dead-none = No position is drawn for lack of material: even a bare King plays on.
dead = The game is drawn at once when neither side can win any more with the pieces that are left: { $material }.
against = { $one } against { $other }

# For programs
id = id
start-label = start
start-label-number = start { $number }

# Games of three and four players
three-seats = Three players sit around it: Red at the bottom, Blue on the left and Yellow at the top.
three-turns = Red begins, and the turn goes on to Blue and Yellow.
four-seats = Four players sit around it: Red at the bottom, Blue on the left, Yellow at the top and Green on the right.
four-owners = The starting position. Each piece stands after the first letter of its player's color.
four-legend = Each piece is drawn as Red's, alone on the board: { $marks }. Betza is the notation of the moves in the game's file.
four-as-red = The pieces are described as Red's. Those of the others move alike on the board turned to their side.
four-turns = Red begins, and the turn goes on to Blue, Yellow and Green.
four-check = No move may leave the own King where a living opponent's piece could capture it. Kings are never captured: a King that is attacked while others move waits for its own turn.
four-promotion = Red's { $pieces } must be promoted on { $squares }, to { $to }; those of the others on the same squares of the board turned to their side.
en-passant-of-four = En passant: after { $pieces } has made its first move of two squares, until its player's next turn, { $pieces } of every opponent that could capture on the square it crossed may do so, as if it had gone only one square. A piece that another player has moved there is captured with it.
castling-seat = Castling, { $seat ->
        [red] Red
        [blue] Blue
        [yellow] Yellow
       *[green] Green
    }: { $ways }.
alone-alliances = Everyone plays alone against the other { $others ->
        [2] two
       *[3] three
    }. The last player left has the first place, and the others follow in the order in which they went out, the last one first.
teams-alliances = Red and Yellow play together against Blue and Green. A partner's piece blocks, cannot be captured and gives no check.
alone-going-out = A player whose turn comes, who is in check and has no legal move, is checkmated and goes out; so does a player who resigns, on the own turn, or whose time is over. The King leaves the board. The other pieces stay as dead pieces: they block and can be captured, never move and give no check.
teams-going-out = A team loses when one of its players is checkmated or out of time, or when one resigns and the partner agrees.
alone-passing = A player who has no legal move and is not in check passes. With two players left, it is a draw between them.
teams-passing = A player who has no legal move and is not in check passes if the partner has one or is in check; otherwise the game is drawn.
alone-draws = The game is drawn among those who are left after { $moves } moves of each of them without a capture, a pawn move or anyone going out, when a position occurs { $occurrences } times, when they have only their Kings, or when all of them agree. Then what they have on the board decides their places: 3 for a piece and 1 for a pawn; equals share a place.
teams-draws = The game is drawn after { $moves } moves of each player without a capture or a pawn move, when a position occurs { $occurrences } times, when all have only their Kings, or when all agree. A team that is out of time against bare Kings draws.
