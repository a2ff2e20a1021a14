import { deviceGlance } from "@herdwise/contract";
import { kindPageAt } from "@herdwise/device-kinds/kind-page-at";

/** Where the script finds what to fill; drawn by the server, see first-figures.tsx. */
export const firstFiguresAttribute = "data-first-figures";

/**
 * Runs in the head of the page of a unit or a device: when the answer that was asked for ahead is here, it puts the figures, what the
 * server made of them and the curve that led to now where the page will show them, which on a phone's processor and line is three
 * seconds later. It judges nothing itself. Called by the server alone; all of it stands inside, so that the browser's scripts leave it
 * out. Names that only Chinese readers can read stay unseen in English until their translations are here.
 */
export function firstFiguresScript(path: string): string {
  const shown = kindPageAt(path);
  if (shown?.page !== "unit" && shown?.page !== "device") return "";
  const address = `${deviceGlance.path}?${new URLSearchParams({ kind: shown.kind })}&${shown.page === "unit" ? "unitId" : "id"}=`;
  return `(function(w,d){var p=(w.askedAhead||{answers:{}}).answers[${JSON.stringify(address)}+new URLSearchParams(location.search).get("id")];if(!p)return;
p.then(function(r){return r&&r.ok?r.clone().json():null}).then(function(j){
var m=d.querySelector("[${firstFiguresAttribute}]"),g=j&&j.data;if(!m||!g||!g.figures||!g.figures.length)return;
var en=d.documentElement.lang!=="zh-CN",looks=JSON.parse(m.dataset.looks);
function e(tag,cls,text,into){var x=d.createElement(tag);if(cls)x.className=cls;if(text!=null)x.textContent=text;into.appendChild(x);return x}
function l(o){return en?o.en:o.zh}
function s(tag,of,into){var x=d.createElementNS("http://www.w3.org/2000/svg",tag);for(var k in of)x.setAttribute(k,of[k]);into.appendChild(x);return x}
var box=d.createDocumentFragment(),h=e("h2","first-name",null,box),n=e("span","",g.unitName?g.houseName+" "+g.unitName:g.deviceName,h),w0=looks[g.state];
if(en&&/[\\u4e00-\\u9fff]/.test(n.textContent))n.style.opacity=0;
if(w0)e("span","state "+w0[0],w0[1],h);
var grid=e("div","grid",null,e("section","card vitals figures",null,box));grid.dataset.count=g.figures.length;
g.figures.forEach(function(f){var v=e("div","vital",null,grid),r=e("div","row",null,v);v.dataset.verdict=f.standing;
if(f.state!=="ok"&&f.state!=="unknown")v.dataset.state=f.state;
e("h3","lbl",l(f.name),r);var k=f.state==="ok"||f.state==="unknown"?looks["="+f.standing]:looks[f.state];if(k&&l(f.reason))e("span","state "+k[0],l(f.reason),r);
var x=e("div","",null,e("div","value",null,v));e("span","figure",l(f.value),x);e("small","",l(f.unit),x);e("div","tgt",l(f.range)||"\\u3000",v)});
var c=g.trend,svg="";
if(c){var t=e("section","card",null,box);e("h2","",m.dataset.trend.replace("{name}",l(c.name)),e("header","",null,t));
var a=e("div","first-curve",null,t),q=s("svg",{viewBox:"0 0 1000 100",preserveAspectRatio:"none","aria-hidden":"true"},a);
if(c.band)s("rect",{x:0,y:c.band[0],width:1000,height:c.band[1]-c.band[0]},q);s("path",{d:c.path},q);e("small","num",c.span+" "+l(c.unit),a);svg=a.innerHTML}
m.appendChild(box);w.firstDrawn={at:location.pathname+location.search,html:m.innerHTML,deviceId:g.deviceId,key:c&&c.key,curve:svg||undefined}}).catch(function(){})})(window,document)`;
}
