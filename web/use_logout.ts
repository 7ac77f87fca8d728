import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { api } from "./api.ts";
import { useShowError } from "./errors.tsx";
import { announceSession, noteLogout } from "./session.ts";

/** The way out: the server ends the session, then this tab and the others say so. */
export function useLogout() {
  const navigate = useNavigate();
  const { lang } = useParams();
  const { mutate } = useMutation({
    mutationFn: api.logout,
    onSuccess: () => {
      noteLogout();
      announceSession("signed out");
      return navigate(`/${lang}/login`);
    },
    onError: useShowError("nav.logout"),
  });
  return () => mutate();
}
