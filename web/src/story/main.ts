import { mount } from "svelte";
import "../app.css";
import Story from "./Story.svelte";

mount(Story, { target: document.body });
