import "sonner/dist/styles.css";
import "../styles/toasts.css";

/** Sonner itself, with how it looks. */
export { Toaster, toast } from "sonner";
