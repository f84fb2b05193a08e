/**
 * Sounds, made on the spot: a knock of wood for a move, two for a capture, tones for the rest. One switch
 * for the whole site, remembered. Not here: when something sounds.
 */

export type Sound = "move" | "capture" | "check" | "end" | "low-time" | "your-turn";

const KEY = "lozenge.sound";

let context: AudioContext | null = null;

export function soundOn(): boolean {
  return remembered(KEY) !== "off";
}

export function setSound(on: boolean): void {
  const changed = on !== soundOn();
  remember(KEY, on ? "on" : "off");
  if (changed) for (const watcher of watchers) watcher(on);
}

const watchers = new Set<(on: boolean) => void>();

/** Calls back whenever the switch is turned, here or in another window, until the returned function is called. */
export function watchSound(watcher: (on: boolean) => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key === KEY) watcher(soundOn());
  };
  watchers.add(watcher);
  window.addEventListener("storage", elsewhere);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("storage", elsewhere);
  };
}

/** What was remembered; nothing where the browser keeps nothing. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A private window: then it is forgotten.
  }
}

/** When there is nothing else to do, and in half a second at the latest. */
function later(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 500 });
  else setTimeout(work, 200);
}

/**
 * Gets ready to sound: that takes a while, so not while a piece is to be seen moving. Not before the page has been touched
 * either: browsers would refuse it and complain.
 */
function prepare(): void {
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (soundOn() && touched && typeof AudioContext !== "undefined") context ??= new AudioContext();
}

/** Gets ready with the first touch of the page: before it browsers allow no sound. */
export function prepareSounds(): void {
  const first = new AbortController();
  for (const name of ["pointerdown", "keydown"]) {
    const touched = (): void => {
      first.abort();
      later(prepare);
    };
    window.addEventListener(name, touched, { capture: true, signal: first.signal });
  }
}

/** Sounds, if the switch is on and the browser allows it. */
export function play(sound: Sound): void {
  if (!soundOn()) return;
  if (context) return void start(context, sound);
  later(() => {
    prepare();
    if (context) start(context, sound);
  });
}

function start(context: AudioContext, sound: Sound): void {
  if (context.state === "suspended") void context.resume();
  const start = context.currentTime + 0.005;
  switch (sound) {
    case "move":
      knock(context, start, 1, 0.5);
      break;
    case "capture":
      knock(context, start, 0.8, 0.55);
      knock(context, start + 0.055, 1.25, 0.45);
      break;
    case "check":
      knock(context, start, 1, 0.4);
      tone(context, start + 0.03, 659, 0.16, 0.16);
      tone(context, start + 0.11, 880, 0.22, 0.14);
      break;
    case "end":
      [392, 494, 587, 784].forEach((pitch, index) => {
        tone(context, start + index * 0.09, pitch, 0.5, 0.12);
      });
      break;
    case "your-turn":
      tone(context, start, 587, 0.18, 0.15);
      tone(context, start + 0.13, 880, 0.3, 0.15);
      break;
    case "low-time":
      tone(context, start, 988, 0.09, 0.14);
      tone(context, start + 0.14, 988, 0.09, 0.14);
      break;
  }
}

/** Wood on wood: a short burst of noise through a narrow band, over a falling low tone. */
function knock(audio: AudioContext, start: number, pitch: number, loudness: number): void {
  const length = 0.07;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) {
    const fade = (1 - index / samples.length) ** 6;
    samples[index] = (Math.random() * 2 - 1) * fade;
  }
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1300 * pitch, Q: 2.2 });
  const volume = new GainNode(audio, { gain: loudness });
  noise.connect(band).connect(volume).connect(audio.destination);
  noise.start(start);
  const body = new OscillatorNode(audio, { type: "sine", frequency: 230 * pitch });
  const swell = new GainNode(audio, { gain: 0 });
  body.frequency.exponentialRampToValueAtTime(120 * pitch, start + 0.08);
  swell.gain.setValueAtTime(loudness * 0.6, start);
  swell.gain.exponentialRampToValueAtTime(0.001, start + 0.09);
  body.connect(swell).connect(audio.destination);
  body.start(start);
  body.stop(start + 0.1);
}

function tone(audio: AudioContext, start: number, pitch: number, length: number, loudness: number): void {
  const voice = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const swell = new GainNode(audio, { gain: 0 });
  swell.gain.setValueAtTime(0, start);
  swell.gain.linearRampToValueAtTime(loudness, start + 0.012);
  swell.gain.exponentialRampToValueAtTime(0.001, start + length);
  voice.connect(swell).connect(audio.destination);
  voice.start(start);
  voice.stop(start + length + 0.02);
}
