import { screenAt } from "../../screens.ts";

/** Chinese names of pages that are no screen, by their path; an ending `/:` stands for whatever follows. */
const names: Readonly<Record<string, string>> = {
  "/": "首页",
  "/index": "首页",
  "/login": "登录",
  "/register": "注册",
  "/findPass": "找回密码",
  "/findAcc": "找回账号",
  "/phoneBack": "找回手机号",
  "/scan": "扫码登录",
  "/authorize": "应用授权",
  "/endSession": "退出登录",
  "/market": "行情",
  "/information": "资讯",
  "/informationDetails": "资讯详情",
  "/news": "新闻",
  "/news/detail": "新闻详情",
  "/partner": "合作伙伴",
  "/solution/:": "解决方案",
  "/legal/:": "法律条款",
  "/service/productService": "产品服务",
  "/service/productServiceList": "产品列表",
  "/service/productApply": "产品申请",
  "/service/productInfo": "产品资料",
  "/service/fileShow": "资料查看",
  "/service/videos": "视频",
  "/service/videoShow": "视频播放",
  "/productFileShow": "资料查看",
  "/service/notice": "公告",
  "/service/noticeDetails": "公告详情",
  "/service/workOrder": "服务工单",
  "/service/feedback": "反馈",
  "/service/feedbackDetails": "反馈详情",
  "/service/network": "服务网点",
  "/service/propose": "提建议",
  "/contract/verify": "合同核验",
  "/search": "搜索",
  "/passport/:": "猪只护照",
  "/barn": "舍内模式",
  "/driver": "司机",
};

/** Chinese name of the page at a counted path; undefined for one that the portal does not have. */
export function pageNameOf(path: string): string | undefined {
  const plain = path.replace(/(.)\/+$/, "$1");
  const imported = plain.endsWith("/import") ? screenAt(plain)?.title : undefined;
  if (imported !== undefined) return imported;
  return screenAt(plain)?.title ?? names[plain] ?? names[plain.replace(/^(\/[^/]+\/).+$/, "$1:")];
}
