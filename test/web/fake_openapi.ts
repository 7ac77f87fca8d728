import { memoryGround, worldOn } from "../support/world.ts";

/** The document of the real server: nothing about it is faked. */
export const openApiDocument: unknown = await (await worldOn(memoryGround()).app.request("/api/openapi.json")).json();
