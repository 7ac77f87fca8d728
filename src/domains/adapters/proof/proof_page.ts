import { PROOF_NAME } from "../../proof_ports.ts";

/** The elements that a page's head may hold (HTML, section 4.2), with text or without, and the two around it. */
const WITH_TEXT = ["title", "style", "script", "noscript", "template"];
const IN_HEAD = [...WITH_TEXT, "html", "head", "base", "link", "meta"];

/** Whether a line of a text file is the value. */
export function hasLine(text: string, value: string): boolean {
  return text.split(/\r\n|\r|\n/).some((line) => line.trim() === value);
}

/**
 * Whether the head of a page, which may be cut off, has the meta tag with this content. Not the body: there, others than the
 * site's owner may be allowed to write.
 */
export function hasMeta(page: string, content: string): boolean {
  let isInHead = true;
  let isFound = false;
  let open = 0;
  new HTMLRewriter()
    .on("*", {
      element(element) {
        isInHead &&= IN_HEAD.includes(element.tagName);
        if (!isInHead) return;
        if (WITH_TEXT.includes(element.tagName)) {
          open += 1;
          element.onEndTag(() => {
            open -= 1;
          });
        }
        const isOurs = element.tagName === "meta" && element.getAttribute("name")?.trim().toLowerCase() === PROOF_NAME;
        isFound ||= isOurs && element.getAttribute("content")?.trim() === content;
      },
    })
    .onDocument({
      text({ text }) {
        // Text begins the body, even without a tag.
        if (open === 0 && text.trim() !== "") isInHead = false;
      },
    })
    .transform(page);
  return isFound;
}
