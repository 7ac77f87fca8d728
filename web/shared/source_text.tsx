import { Anchor } from "@mantine/core";
import { createElement, Fragment, type ReactNode, useMemo } from "react";
import { trusting } from "../app/trusted_types.ts";

const PLAIN = new Set(["em", "strong", "b", "i", "p", "ul", "ol", "li"]);

/** Only for the parser below, whose document is never attached to the page; so any text is accepted. */
const readable = trusting("source-text", { createHTML: (html: string) => html });

/**
 * A source's own description, in English. The server has sanitised it; here it is converted to React elements by a
 * separate allowlist, so that one mistake in either place does not allow an injection.
 */
export function SourceText({ html }: { html: string }) {
  const nodes = useMemo(() => {
    // A document without a browsing context: scripts do not run and resources do not load.
    const { body } = new DOMParser().parseFromString(readable.createHTML(html), "text/html");
    return shownOf(body);
  }, [html]);
  return (
    <div lang="en" className="breakable">
      {nodes}
    </div>
  );
}

function shownOf(parent: Node): ReactNode {
  return [...parent.childNodes].map((node, index) => {
    const key = `${index}`;
    if (node.nodeType === Node.TEXT_NODE) return <Fragment key={key}>{node.textContent}</Fragment>;
    return node instanceof Element ? <Fragment key={key}>{elementOf(node)}</Fragment> : null;
  });
}

function elementOf(element: Element): ReactNode {
  const tag = element.localName;
  if (tag === "br") return <br />;
  if (tag === "a") return <Link href={element.getAttribute("href")}>{shownOf(element)}</Link>;
  return PLAIN.has(tag) ? createElement(tag, null, shownOf(element)) : shownOf(element);
}

/** An external link without referrer; plain text where the address is not https. */
function Link({ href, children }: { href: string | null; children: ReactNode }) {
  const isSecure = href !== null && URL.canParse(href) && new URL(href).protocol === "https:";
  if (!isSecure) return children;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" inherit underline="always">
      {children}
    </Anchor>
  );
}
