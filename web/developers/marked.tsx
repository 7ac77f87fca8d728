import { Fragment } from "react";

const MARKS = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/;

function Part({ text }: { text: string }) {
  if (text.startsWith("`")) return <code>{text.slice(1, -1)}</code>;
  if (text.startsWith("**")) return <strong>{text.slice(2, -2)}</strong>;
  if (text.startsWith("*")) return <em>{text.slice(1, -1)}</em>;
  return text;
}

/** Renders the Markdown subset that the document uses: paragraphs, code and emphasis. */
export function Marked({ text }: { text: string }) {
  return text.split("\n\n").map((paragraph) => (
    <p key={paragraph}>
      {paragraph.split(MARKS).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a constant text
        <Fragment key={index}>
          <Part text={part} />
        </Fragment>
      ))}
    </p>
  ));
}
