import { UserScreen } from "../../shared/users/user-screen.tsx";

/** Users of all tenants, for the group's staff. */
export default function Users() {
  return <UserScreen menuCode="user" title="用户管理" />;
}
