import { PRODUCT, VERSION } from "../shared/product.ts";
import { done, text } from "./answer.ts";
import { command } from "./command.ts";

export const version = command({
  name: "version",
  says: "Show the version",
  examples: ["version"],
  room: "none",
  async run() {
    const data = { product: PRODUCT, version: VERSION, bun: Bun.version };
    return done(data, text(`${PRODUCT} ${VERSION} (Bun ${Bun.version})`));
  },
});
