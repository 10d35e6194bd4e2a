import { mount } from "svelte";
import "../app.css";
import { speech } from "../language/speech.svelte";
import Story from "./Story.svelte";

await speech.load();
mount(Story, { target: document.body });
