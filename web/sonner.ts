import "sonner/dist/styles.css";
import "./toasts.css";

/** Sonner itself, with how it looks. */
export { Toaster, toast } from "sonner";
