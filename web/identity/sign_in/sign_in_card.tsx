import type { FormEvent, ReactNode, Ref } from "react";
import { Card } from "../../ui/display/card.tsx";
import { PageHead } from "../../ui/frame/page_head.tsx";
import classes from "./sign_in_card.module.css";

type CardProps = { title: string; lead?: ReactNode; children: ReactNode; below?: ReactNode };

/** The card of the sign-in screens: heading, content, and links to related screens. */
export function EntranceCard({ title, lead, children, below }: CardProps) {
  return (
    <>
      <Card>
        <PageHead title={title}>{lead}</PageHead>
        {children}
      </Card>
      {below && <div className={classes.below}>{below}</div>}
    </>
  );
}

type Props = CardProps & {
  formRef: Ref<HTMLFormElement>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The path of the API that takes its fields: before the app is there, the form is sent to it (`prehydration.ts`). */
  action?: string;
  /** Content in the card after the form. */
  after?: ReactNode;
};

/** An entrance card whose content is a form. */
export function SignInCard({ formRef, onSubmit, action, children, after, ...card }: Props) {
  return (
    <EntranceCard {...card}>
      <form ref={formRef} action={action} method="post" onSubmit={onSubmit} noValidate className={classes.form}>
        {children}
      </form>
      {after}
    </EntranceCard>
  );
}
