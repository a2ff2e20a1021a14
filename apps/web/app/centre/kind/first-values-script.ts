import { kindOverview } from "@herdwise/contract";
import { attentionStates } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";

/** Older values are not a house's values now: as the declaration of environment control has it, which would be a large script. */
export const freshForMs = 300_000;
/** A phone shows no more before somebody scrolls, and the screen itself is a second away. */
const most = { farms: 6, houses: 8, attention: 6 };

/** Where the script finds what to fill; drawn by the server, see first-values.tsx. */
export const firstValuesAttribute = "data-first-values";

/**
 * Runs in the head of a screen that shows the climate of all houses: when the answer that was asked for ahead is here, it puts the
 * values themselves and what the server made of them where the screen will show both, which on a phone's processor and line is two
 * seconds later. It judges nothing itself: what is old, masked or never came is a dash. Houses whose units are not listed tell how many
 * devices report. Called by the server alone; all of it stands inside, so that the browser's scripts leave it out. Names that only
 * Chinese readers can read stay unseen in English, as they do on the screen until their translations are here. Of "1 单元" the number
 * is enough, as on the tiles of the screen.
 */
export function firstValuesScript(path: string): string {
  if (path !== "/selfCenter/home" && path !== "/selfCenter/vet/environment/overview") return "";
  const address = `${kindOverview.path}?${new URLSearchParams({ kind: "environment" })}`;
  const pages = kindList.find(({ kind }) => kind === "environment")?.pages;
  const unitPage = pages && pageAddress(pages, "unit");
  return `(function(w,d){var p=(w.askedAhead||{answers:{}}).answers[${JSON.stringify(address)}];if(!p)return;
p.then(function(r){return r&&r.ok?r.clone().json():null}).then(function(j){
var m=d.querySelector("[${firstValuesAttribute}]");if(!m||!j||!Array.isArray(j.data))return;
var now=Date.now(),en=d.documentElement.lang!=="zh-CN";
function e(tag,cls,text,into){var x=d.createElement(tag);if(cls)x.className=cls;if(text!=null)x.textContent=text;into.appendChild(x);return x}
function name(tag,text,into){var x=e(tag,"",text,into);if(en&&/[\\u4e00-\\u9fff]/.test(text))x.style.opacity=0}
function heard(u){var t=u.readings.t_in;return u.status!=="offline"&&t&&typeof t.value==="number"&&now-t.ts<=${freshForMs}}
function said(told,all,of){return m.dataset[of?"toldDevices":"told"].replace("{heard}",told).replace("{all}",all)}
function state(u){return u.judged?u.judged.state:""}
function mark(u,cls,into){var s=looks[state(u)];if(s)e("span",cls+" "+s[0],s[1],into)}
function words(u){var p=u.judged&&u.judged.problem;return p?en?p.en:p.zh:""}
function value(u){return heard(u)&&u.mode==="normal"?u.readings.t_in.value:null}
var looks=JSON.parse(m.dataset.looks),bad=${JSON.stringify(attentionStates)};
var farms=j.data.filter(function(f){return f.houses.length>0}),left=${most.houses},box=d.createDocumentFragment(),all=[];
farms.forEach(function(f){f.houses.forEach(function(h){h.units.forEach(function(u){if(u.judged)all.push({h:h,u:u,at:bad.indexOf(state(u))})})})});
function count(of){return all.filter(function(x){return of.indexOf(state(x.u))>=0}).length}
function attention(){var worst=all.filter(function(x){return x.at>=0}),unheard=count(["silent","bare"]);
if(!worst.length){if(all.length>unheard&&!farms.some(function(f){return f.unlisted||f.houses.some(function(h){return h.unlisted})}))e("span","state ok",unheard?m.dataset.well.replace("{count}",all.length-unheard):m.dataset.good,e("p","calm judged",null,box));return}
worst.sort(function(a,b){return a.at-b.at||b.u.judged.urgency-a.u.judged.urgency});
var s=e("section","att judged",null,box),h=e("h2","",m.dataset.attention+" ",s);e("span","mut num",worst.length,h);
var ul=e("ul","",null,s);worst.slice(0,${most.attention}).forEach(function(x){var a=e("a","",null,e("li","",null,ul));a.href="${unitPage}?id="+x.u.id;
mark(x.u,"tag",a);name("b",x.h.name+" "+x.u.name,a);e("span","",words(x.u),a)})}
if(m.getAttribute("${firstValuesAttribute}")==="farms"){attention();var ul=e("ul","",null,box);
farms.slice(0,${most.farms}).forEach(function(f){var all=0,told=0,v=[],of=f.unlisted;
function sum(c){if(!c)return;of=c;all+=c.devices;told+=c.online+c.fault}
sum(of);f.houses.forEach(function(h){sum(h.unlisted);h.units.forEach(function(u){all++;if(heard(u))told++;var x=value(u);if(x!==null)v.push(x)})});
var li=e("li","",null,ul);name("b",f.name,li);
e("span","",said(told,all,of),li);
if(!v.length)return;var low=Math.min.apply(null,v).toFixed(1),high=Math.max.apply(null,v).toFixed(1);
e("span","value",(low===high?low:low+" – "+high)+" ℃",li)})}
else farms.forEach(function(f){if(left<=0)return;var g=e("div","farm-group",null,box);name("h2",f.name,e("header","",null,g));
f.houses.forEach(function(h){var c=h.unlisted;if(left--<=0||!c&&!h.units.length)return;var r=e("div","house-row",null,g);
name("b",h.name,e("div","house-label",null,r));var ts=e("div","tiles",null,r);if(c)e("span","told",said(c.online+c.fault,c.devices,c),ts);
h.units.forEach(function(u){var x=value(u),t=e("div","tile "+state(u)+(x===null?" silent":""),null,ts),head=e("span","tile-head",null,t);
e("b","",u.name.replace(/\\s*\\u5355\\u5143$/,""),head);mark(u,"state",head);var s=e("span","value",x===null?"—":x.toFixed(1),t);
if(x!==null)e("small","","℃",s);e("span","words",words(u),t)})})});
m.appendChild(box)}).catch(function(){})})(window,document)`;
}
