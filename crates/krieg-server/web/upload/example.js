// An example for the upload form: the game of the home page as extended PGN.

export const EXAMPLE = `[Event "An example"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[Ruleset "icc"]
[DrawRules "fifty-moves,threefold,insufficient-material"]
[Ending "resignation"]
[Termination "normal"]

1. e4 {P0:} 1... d5 {P1:} 2. exd5 {P0,Xd5:exf5} 2... Qxd5 {P0,Xd5:} 3. Nc3 {P0:}
3... Qe5+ {P0,CF:} 4. Be2 {P0:Nf3} 4... Bg4 {P0:} 5. d4 {P0:} 5... Bxe2
{P1,Xe2:} 6. dxe5 {P0,Xe5:dxc5} 6... Bxd1 {P0,Xd1:} 7. Kxd1 {P0,Xd1:} 1-0
`;
