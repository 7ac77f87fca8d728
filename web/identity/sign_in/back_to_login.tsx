import { Anchor } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link } from "react-router";
import { useText } from "../../app/i18n.tsx";
import classes from "./sign_in_card.module.css";

/** A link back to the login. */
export function BackToLogin() {
  const text = useText();
  return (
    <Anchor component={Link} to="../login" className={classes.back}>
      <IconArrowLeft size={18} aria-hidden="true" />
      {text("verify.back")}
    </Anchor>
  );
}
