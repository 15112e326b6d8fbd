/**
 * The promises that flows, networks, bases, objectives and mixtures keep, as JUnit 5 classes to extend: a test of your
 * own names what is to be held to them and inherits the tests. The library's own parts are held to the same.
 *
 * <pre>{@code
 * class MyFlowTest extends FlowContract {
 *     protected Map<String, Flow> flows(int components) {
 *         return Map.of("mine", new ShiftFlow(new DirectLogits(CodeSpace.of(2, 3, 2), components)));
 *     }
 * }
 * }</pre>
 */
package io.mdnf.test;
