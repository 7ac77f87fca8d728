import type { ReactNode } from "react";

type Props = {
  label: ReactNode;
  /** A fact that takes a whole row. */
  wide?: boolean;
  className?: string | undefined;
  children: ReactNode;
  /** A further `dd`. */
  hint?: ReactNode;
};

/** A name with its value; used within a `dl`. */
export function Fact({ label, wide = false, className, children, hint }: Props) {
  return (
    <div className={className} data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {hint}
    </div>
  );
}
