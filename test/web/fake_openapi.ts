import { adaptersOn, composed, memoryGround } from "../support/world.ts";

async function documentWhere(hasWebhooks: boolean): Promise<unknown> {
  const adapters = adaptersOn(memoryGround());
  const { senders } = adapters.gateways;
  if (hasWebhooks && senders.email) senders.webhook = { ...senders.email, channel: "webhook" };
  return (await composed(adapters).app.request("/api/openapi.json")).json();
}

const [withWebhooks, withoutThem] = await Promise.all([documentWhere(true), documentWhere(false)]);

/** The real server's document with these channels; nothing about it is fake. */
export function openApiDocument(channels: readonly string[]): unknown {
  return channels.includes("webhook") ? withWebhooks : withoutThem;
}
