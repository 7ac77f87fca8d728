import { Hono } from "hono";
import { describeRoute } from "hono-openapi";
import * as v from "valibot";
import { param } from "../../../http/body.ts";
import { replyFailure } from "../../../http/reply.ts";
import type { HttpEnv } from "../../../http/session.ts";
import { text } from "../../../shared/text.ts";
import type { Breaches } from "../../mod.ts";

const file = v.object({ file: v.pipe(text(40), v.regex(/^[0-9a-f]{32}\.(png|jpg|gif|webp)$/)) });

/** Logos of breached services, public: the file names reveal nothing about anybody's breaches. */
export function logoRoutes(breaches: Pick<Breaches, "showLogo">) {
  return new Hono<HttpEnv>().get(
    "/api/logos/:file",
    describeRoute({
      summary: "The logo of a breached service",
      responses: {
        200: { description: "The picture", content: { "image/*": { schema: { type: "string", format: "binary" } } } },
      },
    }),
    param(file),
    async (c) => {
      const logo = await breaches.showLogo(c.req.valid("param").file);
      if (!logo.ok) return replyFailure(c, logo);
      return c.body(logo.value.bytes, 200, {
        "Content-Type": logo.value.type,
        // The name contains the content's hash, so it never changes its picture.
        "Cache-Control": "public, max-age=31536000, immutable",
        "Content-Security-Policy": "default-src 'none'",
        "X-Content-Type-Options": "nosniff",
      });
    },
  );
}
