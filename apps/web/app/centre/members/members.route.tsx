import { UserScreen } from "../../shared/users/user-screen.tsx";

/** The people of the own organization, for its owner. */
export default function Members() {
  return <UserScreen menuCode="self_members" title="成员管理" />;
}
