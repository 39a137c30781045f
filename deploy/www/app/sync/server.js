// What the server can: asked quietly. Without an answer, what it said last holds.

import { OLDER, setServer } from "../store/server.js";
import { get, Refusal } from "./api.js";

export async function readServer() {
  try {
    const { server } = await get("/server");
    if (server) setServer(server);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) setServer(OLDER);
  }
}
