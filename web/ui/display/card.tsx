import type { ReactNode } from "react";
import classes from "./card.module.css";

type Props = {
  children: ReactNode;
  className?: string | undefined;
  as?: "div" | "section" | "article" | "li";
  label?: string;
};

/** The surface of a section. */
export function Card({ children, className = "", as: Element = "div", label }: Props) {
  return (
    <Element className={`${classes.card} ${className}`} aria-label={label}>
      {children}
    </Element>
  );
}
