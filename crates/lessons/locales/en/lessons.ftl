# The titles of stages; those on a piece have its name.
stage-board = The board
stage-captures = Captures
stage-oddities = New in this game
stage-players = The other players
stage-check = Check
stage-winning = How to win
stage-game = A game

# What to do in a level.
collect = Collect the stars.
more-stars = { $piece }: collect all the stars in as few moves as you can.
edges = { $piece }: the board goes on across this edge. Take the short way to the star.
gap = { $piece }: squares are missing on the straight way to the star, and it cannot go across. Go around them.
corners = { $piece }: this board stands on its corner, so files and ranks run at a slant. Visit the corners with stars.
capture = { $piece }: capture all the enemy's pieces.
keep = { $piece } under attack: move so that nothing can be captured.
first-move = { $piece }: its first move may go farther than the others. Reach the star in one move.
place = { $piece }: some moves depend on the square. Reach the star in one move.
place-capture = { $piece }: some captures depend on the square. Capture the enemy’s piece in one move.
hop = { $piece }: capture across the piece between.
wall = { $piece }: some squares are closed to it. Bring your attacked piece to safety there.
en-passant = { $piece }: the enemy has just gone two squares. Capture it on the square it passed.
promotion = { $piece }: reach a promotion square and choose a new piece.
promotion-by-square = { $piece }: what it may become depends on the square. Promote where it may become a { $into }.
castling = Bring the King to safety: castle.
fusion = { $one } and { $other } become { $into }: move one onto the other.
give-check = Attack the enemy King: give check.
escape-move = You are in check. Move the King away.
escape-capture = You are in check. Capture the attacker.
escape-block = You are in check. Put a piece between.
mate = Mate in one move.
reach = Win in one move: reach the goal.
stop = The enemy is about to reach the goal. Stop it.
last-game = Play { $moves } moves against the weakest level.

# Games of three and four.
seat-red = Red
seat-blue = Blue
seat-yellow = Yellow
seat-green = Green
turns = You are Red, at the bottom. The order of the turns is { $order }. A player who is checkmated is out; the last one left wins. Move onto the star.
turns-teams = You are Red, and Yellow is your partner. The order of the turns is { $order }. The first checkmate decides the game for the team. Move onto the star.
dead = Gray pieces are dead, because their player is out. They stand in the way and never move. { $piece }: capture them all.
harmless = A gray { $piece } attacks nothing: your King may go where it could have captured. Reach the star.
partner = The { $piece } is your partner’s. It cannot be captured, and gives you no check: your King may go where it could capture. Reach the star.
check-from = Every living enemy can give check, not only the next player. Here it is { $seat }. Get out of check.
mate-out = Checkmate Blue in one move. Blue is out then: the King leaves the board, and the other pieces turn gray.
mate-teams = Checkmate Blue in one move. That wins the game for you and Yellow.
places = Only Blue is left. Checkmate Blue in one move: you are first, Blue is second. Players who went out earlier have lower places.
trap = A trap for beginners: Blue’s King is shut in by its own pieces, and Blue has ignored your first move. { $piece }: checkmate Blue in one move.
stop-trap = { $seat } has set a trap for beginners: the next move would mate you. Prevent it.
last-game-more = Play { $moves } moves. The weakest level plays the other seats.
