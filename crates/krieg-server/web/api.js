// All that pages need of the server, under one name: requests, who is here, the socket of a table.

export { ApiError, del, get, post } from "./requests.js";
export { me, needName, showPerson } from "./who.js";
export { tableSocket } from "./socket.js";
