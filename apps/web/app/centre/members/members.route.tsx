import { UserScreen } from "../../shared/users/user-screen.tsx";

/** The people of the own organization, for its owner. */
export default function Members() {
  return <UserScreen title="成员管理" />;
}
