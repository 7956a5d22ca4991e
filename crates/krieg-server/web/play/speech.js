// The umpire's voice, if it is wanted. The browser remembers whether it is.

const KEY = "speech";

export function makeVoice() {
  const can = "speechSynthesis" in window;
  let on = can && localStorage.getItem(KEY) === "on";
  return {
    can,
    get on() {
      return on;
    },
    toggle() {
      on = !on;
      localStorage.setItem(KEY, on ? "on" : "off");
      if (!on) speechSynthesis.cancel();
    },
    /** @param {string} words */
    say(words) {
      if (!on) return;
      const speech = new SpeechSynthesisUtterance(words);
      speech.lang = "en";
      speechSynthesis.speak(speech);
    },
    stop() {
      if (can) speechSynthesis.cancel();
    },
  };
}
