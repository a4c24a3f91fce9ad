# Copyright 2026 The robot_dynamics authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""The sample SROS2 policy names all that the running node sends, hears and answers."""

from defusedxml import ElementTree
import pytest
from robot_dynamics import _share

pytest.importorskip('rclpy', reason="needs rclpy: source ROS 2, or pip install '.[ros]'")

from dynamics_bench import Bench  # noqa: E402, I100

ANYWHERE = {'/clock'}  # only with use_sim_time


def test_policy_is_that_of_the_running_node(ros_domain_id):
    policy = ElementTree.parse(_share.share_path('config', 'sros2_policy.xml')).getroot()
    assert (policy.tag, policy.get('version')) == ('policy', '0.2.0')
    (enclave,) = policy.iter('enclave')
    (profile,) = policy.iter('profile')
    assert enclave.get('path') == '/dynamics'
    assert (profile.get('ns'), profile.get('node')) == ('/', 'dynamics')
    allowed = {}
    for group in profile:
        for permission, value in group.attrib.items():
            assert value == 'ALLOW'
            names = [item.text.replace('~/', '/dynamics/') for item in group]
            assert len(set(names)) == len(names)
            allowed[permission] = {'/' + name.lstrip('/') for name in names}
    with Bench(gravity_from_imu=True) as bench:
        bench.wait_for_effort(bench.gravity())
        node, seen = bench.client.node, {}
        for permission, look in (
            ('publish', node.get_publisher_names_and_types_by_node),
            ('subscribe', node.get_subscriber_names_and_types_by_node),
            ('reply', node.get_service_names_and_types_by_node),
        ):
            seen[permission] = {name for name, _ in look('dynamics', '/')}
        bench.end()
    assert seen['publish'] == allowed['publish']
    assert seen['subscribe'] == allowed['subscribe'] - ANYWHERE
    assert seen['reply'] <= allowed['reply']
    assert allowed['reply'] - seen['reply'] <= {'/dynamics/get_type_description'}
