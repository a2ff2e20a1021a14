/** The envelope of wire.md 1.1: exactly these four fields, in this order. */
export interface Envelope<Reply> {
  code: number;
  success: boolean;
  data: Reply;
  msg: string;
}

/** Messages of the wire that clients compare with; the keys are our names, the texts those of the specification. */
export const wireMessage = {
  ok: "操作成功",
  failed: "操作失败",
  noPayload: "暂无承载数据",
  tokenMissing: "缺失令牌,鉴权失败",
  unauthorized: "请求未授权",
  tokenInvalid: "令牌已失效",
  forbidden: "请求被拒绝",
  notFound: "404 没找到请求",
  methodNotAllowed: "不支持当前请求方法",
  unsupportedMedia: "不支持当前媒体类型",
  serverError: "服务器异常",
  parameterMissing: "缺少必要的请求参数",
  parameterType: "请求参数类型错误",
  parameterInvalid: "参数校验失败",
  bodyUnreadable: "消息不能读取",
  addressUnreadable: "请求地址不能读取",
  headersTooLarge: "请求头过大",
  tooManyRequests: "请求过于频繁，请稍后再试",
  busy: "服务繁忙，请稍后再试",
} as const;

/** Header that carries `bearer <access token>`. */
export const tokenHeader = "Muyuan-Auth";
/** Header with the id of the tenant. */
export const tenantHeader = "Tenant-Id";
/** Header of every answer with the number under which the log has the request. */
export const requestIdHeader = "X-Request-Id";

/** Names in each answer to a session what its roles grant, so that an open page asks for its menu again as soon as it is another. */
export const accessVersionHeader = "X-Access-Version";
/** The public client pair (decisions.md 12). It identifies the web app; it is no secret. */
export const publicClient = { id: "portal", secret: "portal_secret" } as const;
