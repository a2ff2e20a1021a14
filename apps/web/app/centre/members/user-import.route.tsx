import { userSheet } from "@herdwise/contract/user-sheet";
import { ImportScreen } from "../../shared/imports/import-screen.tsx";
import { FirstPasswords } from "../../shared/users/first-passwords.tsx";

/** Users out of a sheet, for the group's staff and for a customer's own administrators. */
export default function UserImport() {
  return <ImportScreen of={userSheet} written={({ id }) => <FirstPasswords importId={id} />} />;
}
