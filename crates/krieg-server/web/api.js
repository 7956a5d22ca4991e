// The server's API for pages: requests, the user's account, and the socket of a game.

export { ApiError, del, get, post } from "./requests.js";
export { currentUser, openAccountDialog, requireUser, withUser } from "./account.js";
export { gameSocket } from "./socket.js";
