import type { ReactNode } from "react";

/** An email address or domain that wraps preferably after "@" or before a dot. */
export function Address({ children }: { children: string }) {
  const [first = "", ...others] = children.split(/(?<=@)|(?=\.)/);
  return <span className="breakable">{others.reduce<ReactNode>(joined, first)}</span>;
}

function joined(before: ReactNode, part: string): ReactNode {
  return (
    <>
      {before}
      <wbr />
      {part}
    </>
  );
}
