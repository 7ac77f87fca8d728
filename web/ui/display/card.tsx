import type { ReactNode } from "react";
import classes from "./card.module.css";

type Props = {
  children: ReactNode;
  className?: string | undefined;
  as?: "div" | "section" | "article" | "li";
  label?: string;
};

/** A surface that holds one thing. */
export function Card({ children, className = "", as: Element = "div", label }: Props) {
  return (
    <Element className={`${classes.card} ${className}`} aria-label={label}>
      {children}
    </Element>
  );
}
