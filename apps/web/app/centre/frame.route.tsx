import { Outlet } from "react-router";
export default function Frame() {
  return <Outlet />;
}
