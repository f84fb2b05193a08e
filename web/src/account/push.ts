/** This browser's subscription to push messages. Not here: the settings page (`notifications`). */
import { type Schemas, send } from "../common/api.ts";

type PushSettings = Schemas["PushSettings"];

const PUSH_PATH = "/api/account/push";

/** Whether this browser supports push messages here. */
export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function current(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** Whether this browser is subscribed for the signed-in account. */
export async function isSubscribed(): Promise<boolean> {
  const [subscription, { subscriptions }] = await Promise.all([current(), send<PushSettings>("GET", PUSH_PATH)]);
  return subscriptions.some(({ endpoint }) => endpoint === subscription?.endpoint);
}

/** Subscribes this browser; returns false if the user does not allow notifications. */
export async function subscribe(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { key } = await send<PushSettings>("GET", PUSH_PATH);
  await navigator.serviceWorker.register("/service-worker.js");
  const worker = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await worker.pushManager.subscribe(options).catch(async (fault: unknown) => {
    // The existing subscription has another key of this site.
    if (!(fault instanceof DOMException) || fault.name !== "InvalidStateError") throw fault;
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return worker.pushManager.subscribe(options);
  });
  const { endpoint, keys } = subscription.toJSON();
  await send("PUT", PUSH_PATH, { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } });
  return true;
}

/** Unsubscribes this browser, here and on the server. */
export async function unsubscribe(): Promise<void> {
  if (!canPush()) return;
  const subscription = await current();
  if (!subscription) return;
  const { subscriptions } = await send<PushSettings>("GET", PUSH_PATH);
  const registered = subscriptions.find(({ endpoint }) => endpoint === subscription.endpoint);
  await subscription.unsubscribe();
  if (registered) await send("DELETE", `${PUSH_PATH}/${registered.id}`);
}
