/**
 * Synthesized sounds: a wooden knock for a move, two for a capture, tones for the rest; and the site's sound setting.
 * Not here: when a sound is played.
 */
import { load, store } from "./storage.ts";

export type Sound = "move" | "capture" | "check" | "end" | "low-time" | "your-turn";

const SOUND_KEY = "lozenge.sound";

let context: AudioContext | null = null;

export function isSoundOn(): boolean {
  return load(SOUND_KEY) !== "off";
}

export function setSound(on: boolean): void {
  const changed = on !== isSoundOn();
  store(SOUND_KEY, on ? "on" : "off");
  if (changed) for (const listener of listeners) listener(on);
}

const listeners = new Set<(on: boolean) => void>();

/** Calls back when the setting changes, here or in another window, until the returned function is called. */
export function onSoundChange(listener: (on: boolean) => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === SOUND_KEY) listener(isSoundOn());
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

/** Runs when the browser is idle, after half a second at the latest. */
function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 500 });
  else setTimeout(work, 200);
}

/**
 * Creates the audio context, if the user has interacted with the page: before that, browsers refuse it and log a warning. Slow,
 * so not while a piece is moving.
 */
function createContext(): void {
  const hasInteracted = navigator.userActivation?.hasBeenActive ?? true;
  if (isSoundOn() && hasInteracted && typeof AudioContext !== "undefined") context ??= new AudioContext();
}

/** Prepares sounds at the first touch or key, before which browsers allow none. */
export function prepareSounds(): void {
  const first = new AbortController();
  for (const name of ["pointerdown", "keydown"]) {
    const onFirstInput = (): void => {
      first.abort();
      whenIdle(createContext);
    };
    window.addEventListener(name, onFirstInput, { capture: true, signal: first.signal });
  }
}

/** Plays a sound, if the setting is on and the browser allows it. */
export function play(sound: Sound): void {
  if (!isSoundOn()) return;
  if (context) return void start(context, sound);
  whenIdle(() => {
    createContext();
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

/** Wood on wood: a short burst of band-filtered noise over a falling low tone. */
function knock(audio: AudioContext, start: number, pitch: number, loudness: number): void {
  const length = 0.07;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) {
    const fade = (1 - index / samples.length) ** 6;
    samples[index] = (Math.random() * 2 - 1) * fade;
  }
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1300 * pitch, Q: 2.2 });
  const volume = new GainNode(audio, { gain: loudness });
  noise.connect(filter).connect(volume).connect(audio.destination);
  noise.start(start);
  const body = new OscillatorNode(audio, { type: "sine", frequency: 230 * pitch });
  const envelope = new GainNode(audio, { gain: 0 });
  body.frequency.exponentialRampToValueAtTime(120 * pitch, start + 0.08);
  envelope.gain.setValueAtTime(loudness * 0.6, start);
  envelope.gain.exponentialRampToValueAtTime(0.001, start + 0.09);
  body.connect(envelope).connect(audio.destination);
  body.start(start);
  body.stop(start + 0.1);
}

function tone(audio: AudioContext, start: number, pitch: number, length: number, loudness: number): void {
  const oscillator = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const envelope = new GainNode(audio, { gain: 0 });
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(loudness, start + 0.012);
  envelope.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(envelope).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length + 0.02);
}
