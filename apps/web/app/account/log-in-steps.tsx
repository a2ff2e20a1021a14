/* What the log-in page shows only after a choice or a proof: the page is open before these are fetched. */
export { QrPanel } from "./qr-panel.tsx";
export { RenewPassword } from "./renew-password.tsx";
export { SmsForm } from "./sms-form.tsx";
export { TenantList } from "./tenant-list.tsx";
