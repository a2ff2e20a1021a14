import { redirect } from "react-router";

/** The bare address leads to the home page (product.md 2). */
export function loader(): Response {
  return redirect("/index", 302);
}

export default function RootRedirect() {
  return null;
}
