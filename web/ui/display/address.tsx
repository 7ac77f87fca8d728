import type { ReactNode } from "react";
import { shownAddress } from "../../../src/shared/shown_address.ts";

/** An email address in its readable form, or a domain, that wraps preferably after "@" or before a dot. */
export function Address({ children }: { children: string }) {
  const [first = "", ...others] = shownAddress(children).split(/(?<=@)|(?=\.)/);
  return <bdi className="breakable">{others.reduce<ReactNode>(joined, first)}</bdi>;
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
