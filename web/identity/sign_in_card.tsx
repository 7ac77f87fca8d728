import type { FormEvent, ReactNode, Ref } from "react";
import { Card } from "../ui/card.tsx";
import { PageHead } from "../ui/page_head.tsx";
import classes from "./sign_in_card.module.css";

type Props = {
  title: string;
  lead: ReactNode;
  formRef: Ref<HTMLFormElement>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
  below: ReactNode;
};

/** The one card of the screens on the way in: heading, form, and where else to go. */
export function SignInCard({ title, lead, formRef, onSubmit, children, below }: Props) {
  return (
    <>
      <Card>
        <PageHead title={title}>{lead}</PageHead>
        <form ref={formRef} onSubmit={onSubmit} noValidate className={classes.form}>
          {children}
        </form>
      </Card>
      <div className={classes.below}>{below}</div>
    </>
  );
}
