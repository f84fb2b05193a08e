# The titles of stages; those on a piece have its name.
stage-board = The board
stage-captures = Captures
stage-oddities = New in this game
stage-check = Check
stage-winning = How to win
stage-game = A game

# What to do in a level.
collect = Collect the stars.
more-stars = { $piece }: collect all the stars in as few moves as you can.
edges = { $piece }: the board goes on across this edge. Take the short way to the star.
capture = { $piece }: capture all the enemy's pieces.
keep = { $piece } under attack: move so that nothing can be captured.
first-move = { $piece }: its first move may go farther than the others. Reach the star in one move.
place = { $piece }: some moves depend on the square. Reach the star in one move.
hop = { $piece }: capture across the piece between.
en-passant = { $piece }: the enemy has just gone two squares. Capture it on the square it passed.
promotion = { $piece }: reach a promotion square and choose a new piece.
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
