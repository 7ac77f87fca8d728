import type { Content } from "../../src/notifications/messages/content.ts";
import { type DomainTemplate, domainContent } from "../../src/notifications/messages/domain_message.ts";
import type { Translate } from "../../src/notifications/ports.ts";
import type { Language } from "../../src/shared/language.ts";

type Sources = { language: Language; translate: Translate; publicUrl: string };

/** Every message about a domain, with several of everything and with one, and for an international name. */
export function domainMessages(
  template: DomainTemplate,
  { language, translate, publicUrl }: Sources,
): Record<string, Content> {
  const named = {
    domain: "example.org",
    name: "Alice Meyer",
    account: "a…@example.org",
  };
  const many = {
    id: crypto.randomUUID(),
    ...named,
    findings: "12",
    addresses: "5",
    more: "2",
    until: "2026-12-04T12:00:00.000Z",
  };
  const one = { ...many, domain: "xn--mller-kva.example", findings: "1", addresses: "1", more: "1" };
  const variants = { "": many, OfOne: one, Alone: { ...many, more: "0", name: "" }, Drill: { ...many, drill: "yes" } };
  const parts = { written: () => "048213", language, translate, publicUrl };
  const contentOf = (params: Record<string, string>) => domainContent(template, { params, ...parts });
  return Object.fromEntries(
    Object.entries(variants).map(([name, params]) => [`${template}${name}`, contentOf(params)]),
  );
}
